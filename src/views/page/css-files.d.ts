// Styles are imported for the build to gather them into one file.

declare module '*.css';
