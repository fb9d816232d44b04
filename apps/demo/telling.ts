import { formatReais } from '../../core/kernel/values/money.ts'

/** Tells a line of a story. */
export const say = (line = '') => process.stdout.write(`${line}\n`)

/** A value as an API shows it, for people. */
export const reais = (value: number) => formatReais(Math.round(value * 100))

/** Ends a story that does not go as it must. */
export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise)
}
