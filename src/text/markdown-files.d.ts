// Message files are imported as text: esbuild and vitest are told so in their configs.

declare module '*.md' {
  const text: string;
  export default text;
}
