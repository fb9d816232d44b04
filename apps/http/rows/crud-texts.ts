import { isLeft } from '../../../core/failure.ts'
import {
  type AnyView,
  encoderOf,
  type Fields,
  type Input,
  input,
  PROGRAM,
  pick,
  type Side,
  tableOn,
} from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { ResourceTexts } from '../replies/messages.ts'

/** The Portuguese noun of a resource, from which its usual texts are made: `fornecedor`, `fornecedores`, `m`. */
export interface Noun {
  readonly one: string
  readonly many: string
  readonly gender: 'm' | 'f'
}

export const VERBS = ['list', 'create', 'show', 'update', 'remove'] as const
export type Verb = (typeof VERBS)[number]

/** The texts of a verb, and its status if that is not 200. */
export interface VerbWords {
  readonly summary: string
  readonly message?: string
  readonly status?: number
}

export type Words = { readonly [verb in Verb]: VerbWords }

/** The words that agree with a noun. */
const AGREEING = {
  m: { o: 'o', os: 'os', um: 'um', do: 'do', ao: 'ao' },
  f: { o: 'a', os: 'as', um: 'uma', do: 'da', ao: 'à' },
} as const

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Fills in a noun and the words that agree with it: `Lista {os} {many}`, `{One} criad{o} com sucesso.`. */
const fillNoun = (template: string, { one, many, gender }: Noun): string => {
  const words: Readonly<Record<string, string>> = {
    ...{ one, many, One: capital(one), Many: capital(many) },
    ...AGREEING[gender],
  }
  return template.replace(/\{(\w+)\}/g, (slot, name: string) => words[name] ?? slot)
}

/** Returns the texts of each verb: the resource's own, else those of its business for the noun. */
export const wordsOf = (
  noun: Noun,
  usual: Words,
  own: { readonly [verb in Verb]?: Partial<VerbWords> } = {},
): Words => {
  const of = (verb: Verb): VerbWords => {
    const { summary, message, status } = { ...usual[verb], ...own[verb] }
    return {
      summary: fillNoun(summary, noun),
      ...(message !== undefined && { message: fillNoun(message, noun) }),
      ...(status !== undefined && { status }),
    }
  }
  return { list: of('list'), create: of('create'), show: of('show'), update: of('update'), remove: of('remove') }
}

/** Returns the messages of the failures of every resource: an unknown record, and taken values of unique fields. */
export const failureTexts = (
  noun: Noun,
  { one, input, unique = [] }: { readonly one: string; readonly input: Fields; readonly unique?: readonly string[] },
): ResourceTexts => ({
  unknown: { [`${one}.unknown`]: fillNoun('{One} não encontrad{o}.', noun) },
  taken: Object.fromEntries(
    unique.map((field) => [
      `${one}.${field}.taken`,
      fillNoun(`Já existe {um} {one} com ${demonstrative(input[field]?.about ?? null)}.`, noun),
    ]),
  ),
})

const FEMININE = /^\S*(?:a|ção|dade)(?:\s|$)/

/** Returns the start of a description as a phrase: `este documento` for `Documento, sem pontuação`. */
const demonstrative = (about: string | null): string => {
  const label = (about ?? 'valor')
    .replace(/[,;(].*/s, '')
    .trim()
    .replace(' ou ', '/')
  const isAcronym = /^\p{Lu}{2}/u.test(label)
  const word = isAcronym ? label : label.charAt(0).toLowerCase() + label.slice(1)
  return `${!isAcronym && FEMININE.test(word) ? 'esta' : 'este'} ${word}`
}

/**
 * The values of a record from which the examples of its rows are made, in the program's format: `priceCents: 150_50`.
 */
export interface Sample<A> {
  /** The fields that a request sends. */
  readonly sample: Partial<A>
  /** The fields that the example of an update changes; by default the first one of `sample`, to the same value. */
  readonly change?: Partial<A>
  /** Further values that replies show. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** The examples of a resource on the wire. */
export interface WireExample {
  readonly sent: Json
  readonly change: Json
  readonly shown: Json
  /** The record as shown after its update. */
  readonly changed: Json
}

interface Sampled {
  readonly one: string
  readonly internal: Fields
  readonly createInput: Input<unknown, never>
  readonly view: AnyView<never>
  readonly put: 'merges' | 'replaces'
  readonly side: Side
  /** The values of the fields of every record: id and timestamps. */
  readonly common: Readonly<Record<string, unknown>>
}

type Values = Readonly<Record<string, unknown>>

/**
 * Returns the request bodies and the shown record of a sample, encoded by the fields. Throws if the sample is no valid
 * input.
 */
export const examplesOf = (of: Sampled, { sample, change, more }: Sample<object>): WireExample => {
  const values = sample as Values
  const changes: Values = change ? (change as Values) : Object.fromEntries(Object.entries(values).slice(0, 1))
  const after = { ...values, ...changes }
  const sentOf = (sent: Values): Json => {
    const { entries } = tableOn(pick(of.createInput.table, ...Object.keys(sent)), of.side)
    return encoderOf(entries)(sent) as Json
  }
  const initial = decoded(of.one, input(null, of.internal), {})
  const shownOf = (sent: Values): Json =>
    of.view.on(of.side).encode({ ...of.common, ...initial, ...decoded(of.one, of.createInput, sent), ...more } as never)
  return {
    sent: sentOf(values),
    change: sentOf(of.put === 'merges' ? changes : after),
    shown: shownOf(values),
    changed: shownOf(after),
  }
}

const decoded = (one: string, by: Pick<Input<unknown, never>, 'on'>, values: Values): object => {
  const record = by.on(PROGRAM).decode(values)
  if (isLeft(record))
    throw new TypeError(`sample of ${one}: ${record.left.map(({ path, code }) => `${path} ${code}`).join()}`)
  return Object(record.right)
}

/** Returns the shown example after its change: with the changed values of the fields that it shows. */
export const changedExample = ({ sent, change, shown }: Omit<WireExample, 'changed'>): Json => {
  const [before, after] = [Object(sent), Object(shown)]
  const isChanged = ([name, value]: readonly [string, Json]): boolean =>
    Object.hasOwn(after, name) && JSON.stringify(value) !== JSON.stringify(before[name])
  return { ...after, ...Object.fromEntries(Object.entries<Json>(Object(change)).filter(isChanged)) }
}
