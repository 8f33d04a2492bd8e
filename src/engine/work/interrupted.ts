/** The client asked the hook to end in the middle of a review or a check. */
export class Interrupted extends Error {
  constructor() {
    super('the client ended the hook during a review or a check; the next stop takes it up again');
  }
}
