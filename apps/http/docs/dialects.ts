import type { Dialect } from '../replies/dialect.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { type FailureShape, failureShape } from './wrapping.ts'

/** What the operations of a dialect have in common. */
export interface DialectDocs {
  /** Ends the names of schemas whose fields are named otherwise than in the API's usual dialect. */
  readonly suffix: string
  readonly failure: FailureShape
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Each dialect of an API: the usual one's failures are called `Failure`, and so are those that are just like them. */
export const dialectDocs = ({
  dialects,
  defaultDialect,
  messages,
}: ApiConfig<ApiTypes>): ReadonlyMap<string, DialectDocs> => {
  const usual = dialects[defaultDialect]
  const rule = { title: 'FieldErrorCode', type: 'string', enum: messages.rules } as const
  const failures = new Map<string, string>()
  const named = (shape: FailureShape, name: string): FailureShape => {
    const { schema, codeIn } = shape
    if (codeIn === null) return shape
    const text = JSON.stringify(schema)
    const title = failures.get(text) ?? name
    failures.set(text, title)
    return { ...shape, schema: { title, ...schema } }
  }
  const of = (name: string, dialect: Dialect): DialectDocs => {
    const isUsual = name === defaultDialect
    const first = Object.entries(dialects).find(([, { side }]) => side === dialect.side)?.[0] ?? name
    return {
      suffix: dialect.side === usual?.side ? '' : capital(first),
      failure: named(failureShape(dialect, rule), isUsual ? 'Failure' : `${capital(name)}Failure`),
    }
  }
  // The usual one is named first.
  const entries = Object.entries(dialects).sort(
    ([a], [b]) => Number(b === defaultDialect) - Number(a === defaultDialect),
  )
  return new Map(entries.map(([name, dialect]) => [name, of(name, dialect)]))
}
