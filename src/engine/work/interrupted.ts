/** The client asked the hook to end in the middle of a review. */
export class Interrupted extends Error {
  constructor() {
    super('the client ended the hook during a review; the next stop takes it up again');
  }
}
