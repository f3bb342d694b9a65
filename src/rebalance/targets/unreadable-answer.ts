/** An answer with status 200 that is none of Route 53's: a proxy's, or a broken one. */
export class UnreadableAnswer extends Error {
  constructor(what = 'it is not one of Route 53') {
    super(what);
    this.name = 'UnreadableAnswer';
  }
}
