// A sentence of ours with commands in backticks: those stand out, and all of it is text.

export function CommandText({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/)
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have nothing but their place.
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  );
}
