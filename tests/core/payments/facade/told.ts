import { type Either, type Failure, isLeft } from '../../../../core/failure.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { right } from '../world.ts'

export type Ask = (...given: readonly unknown[]) => (once?: object) => Promise<Either<Failure, unknown>>
export type Modules = Readonly<Record<string, Readonly<Record<string, Ask>>>>

/** The results of the members of a facade, by their names. */
export type Told = Map<string, unknown[]>

/** The modules of a facade, by their names. */
export const modulesOf = ({ collections: _, ports: __, worker: ___, ...modules }: Payments): Modules =>
  modules as Modules

/** Every member of the facade: `charges.issue`. */
export const memberNames = (pay: Payments): readonly string[] =>
  Object.entries(modulesOf(pay)).flatMap(([module, members]) => Object.keys(members).map((name) => `${module}.${name}`))

/** Calls members of the facade with the same arguments, in order: `statements.extract charges.list`. */
export const callAll = async (pay: Payments, names: string, ...given: readonly unknown[]): Promise<void> => {
  for (const name of names.split(/\s+/)) {
    const [module = '', member = ''] = name.split('.')
    const ask = modulesOf(pay)[module]?.[member]
    if (!ask) throw new Error(`no member ${name}`)
    right(await ask(...given)())
  }
}

const mapped = <A, B>(record: Readonly<Record<string, A>>, change: (value: A, name: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

/** Runs before each call of a member, with the member and its arguments. */
export type Before = (name: string, ask: Ask, given: readonly unknown[]) => Promise<void>

/** Returns the facade with members that also record their results. */
export const keeping = (pay: Payments, told: Told, before: Before = async () => {}): Payments => {
  const kept =
    (ask: Ask, name: string): Ask =>
    (...given) =>
    async (once) => {
      await before(name, ask, given)
      const outcome = await ask(...given)(once)
      if (!isLeft(outcome)) told.set(name, [...(told.get(name) ?? []), await whole(outcome.right)])
      return outcome
    }
  const modules = mapped(modulesOf(pay), (members, module) =>
    mapped(members, (ask, name) => kept(ask, `${module}.${name}`)),
  )
  return { ...pay, ...modules } as Payments
}

/** Returns a result with its streamed list read to the end. */
const whole = async (value: unknown): Promise<unknown> => {
  if (typeof value !== 'object' || value === null || !('all' in value)) return value
  const all: unknown[] = []
  for await (const each of value.all as AsyncIterable<unknown>) all.push(each)
  return all
}

/** Each field and text in a value, wherever it stands: `user.name` and what it says. */
export const textsIn = (value: unknown, path = ''): readonly (readonly [path: string, text: string])[] => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [[path, `${value}`]]
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, path === '' ? name : `${path}.${name}`))
}
