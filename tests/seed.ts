/** What `npm test` draws from, so that it does the same each time. */
const USUAL_SEED = 20_261_127

const drawn = (): number => (process.env.PORTICO_FULL === '1' ? Date.now() % 2 ** 31 : USUAL_SEED)

/** What chance is drawn from: `PORTICO_SEED` draws the same again. The long run draws anew. */
export const SEED = Number(process.env.PORTICO_SEED ?? drawn())

let given = 0

/** A seed that nobody in this process was given before: two that open one store draw different ids. */
export const nextSeed = (): number => {
  given += 1
  return SEED + given
}
