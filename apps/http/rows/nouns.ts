import type { Fields } from '../../../core/kernel/input/mod.ts'
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
