import { issue } from '../../failure.ts'
import { right } from '../../fp.ts'
import { anyField, type Field, required, withDefault } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { type DayRange, type Filter, inQuery } from '../../kernel/input/query.ts'
import { notBefore, type Rule, rule } from '../../kernel/input/rules.ts'
import { daysBetween } from '../../kernel/values/day.ts'
import { entryFilters } from '../statements/entry-filter.ts'
import { EXPORT_FORMATS } from './export.ts'

/** How far apart the ends of an exported statement may be. Source: 02-billing.md, Limits; decisions.md §11, Sums. */
const MAX_STATEMENT_DAYS = 60

/** A number or flag of JSON, as a query says it in a text. */
const saidOf = (sent: unknown): unknown =>
  Array.isArray(sent) ? sent.map(saidOf) : typeof sent === 'number' || typeof sent === 'boolean' ? `${sent}` : sent

/** In a body a number and a flag are what they are, and no texts of them. */
const noText = (sent: unknown): unknown => (typeof sent === 'string' ? {} : saidOf(sent))

/** A number is no text to search for. */
const asSent = (sent: unknown): unknown => sent

/** A filter that is sent in a body: what a query says in texts may be numbers and flags there, and what is null is none. */
const inBody = <A, G, I extends string>(
  inner: Field<A | undefined, G, I>,
  said: (sent: unknown) => unknown = saidOf,
): Field<A | undefined, G, I> =>
  anyField<A | undefined, G, I>(
    { ...inner, read: (sent) => (sent === null ? right(undefined) : inner.read(said(sent))) },
    {
      aliases: inner.aliases,
      wire: inner.wire,
      about: inner.about,
      isOptional: true,
      on: (side) => (side.is === 'program' ? inner.on(side) : inBody(inner.on(side), said)),
    },
  )

const transactionFields = {
  format: withDefault(inQuery.oneOf(EXPORT_FORMATS, { about: 'Formato do arquivo' }), 'xlsx'),
  created: inQuery.range('created_at', 'Criação'),
  types: inBody(entryFilters.types),
  typeId: inBody(entryFilters.typeId),
  typeIds: inBody(entryFilters.typeIds),
  search: inBody(entryFilters.search, asSent),
  status: inBody(entryFilters.status, noText),
}

/**
 * Which transactions are exported, and as what: the filters are those of the statement, one or the other way round sent.
 * Source: 02-billing.md, POST /consolidation/transactions/export-document.
 */
export const transactionExport = input('TransactionExport', transactionFields)

/** The same over HTTP, where the file may be asked for at once. */
export const transactionExportBody = input('TransactionExportRequest', {
  ...transactionFields,
  download: withDefault(
    inBody(inQuery.flag({ about: 'Se o arquivo vem na resposta, em vez de uma notificação' }), noText),
    false,
  ),
})

const notTooLong: Rule<Required<DayRange>, 'range.max'> = rule(['from', 'to'], ({ from, to }) =>
  daysBetween(from, to) > MAX_STATEMENT_DAYS ? [issue('to', 'range.max', { max: MAX_STATEMENT_DAYS })] : [],
)

const end = (wire: string, about: string): Filter<string, string, 'required' | 'day'> =>
  inQuery.day({ wire, about }) as Filter<string, string, 'required' | 'day'>

/** Of which days a statement is exported. Source: 02-billing.md, POST /consolidation/extract/export-document. */
export const statementExport = input(
  'StatementExport',
  {
    from: required(end('start_date', 'Desde')),
    to: required(end('end_date', `Até, no máximo ${MAX_STATEMENT_DAYS} dias depois`)),
  },
  notBefore('to', 'from'),
  notTooLong,
)

export type TransactionExport = InputOf<typeof transactionExport>
export type StatementExport = InputOf<typeof statementExport>
