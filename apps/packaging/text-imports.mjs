import { readFileSync } from 'node:fs'

const TEXT = /\.(css|eta|md|text\.js)$/

/** Loads a text as a module that exports it; leaves all other modules to the next loader. */
export const load = (url, context, next) => {
  if (!url.startsWith('file:') || !TEXT.test(new URL(url).pathname)) return next(url, context)
  const text = readFileSync(new URL(url), 'utf8')
  return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true }
}
