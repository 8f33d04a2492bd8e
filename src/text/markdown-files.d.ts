// Message files, and the flows that are built in, are imported as text: the configs of esbuild and vitest say so.

declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.yaml' {
  const text: string;
  export default text;
}
