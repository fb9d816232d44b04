/** The script of the documentation page, compressed: made when the rest is built. */
export const REFERENCE = 'reference.js.gz'
