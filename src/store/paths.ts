// Paths put together without a look at their parts. A stop makes a hundred of them, and path.join, which walks
// every character to take out dots, would cost it more than a millisecond.

/** `folder` is a path as the system or we gave it; `name` has no dots to be resolved. */
export function below(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
