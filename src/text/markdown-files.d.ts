// Message files are imported as text: the configs of esbuild and vitest say so.

declare module '*.md' {
  const text: string;
  export default text;
}
