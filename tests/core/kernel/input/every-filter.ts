import { type AnyField, required, withDefault } from '../../../../core/kernel/input/codec.ts'
import { email, taxId } from '../../../../core/kernel/input/fields/texts.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'

/** One field of every maker of queries, with values that it takes. */
export const everyFilter: Readonly<
  Record<string, { readonly field: AnyField; readonly takes: readonly (string | readonly string[])[] }>
> = {
  'in query: text': { field: inQuery.text(), takes: ['ana', ' ', ''] },
  'in query: day': { field: inQuery.day(), takes: ['2026-01-01', ''] },
  'in query: required month': { field: required(inQuery.month()), takes: ['2026-01'] },
  'in query: guid': { field: inQuery.guid(), takes: ['0f8fad5b-d9cb-469f-a165-70867728950e'] },
  'in query: one of': { field: inQuery.oneOf(['asc', 'desc']), takes: ['asc', ''] },
  'in query: with default': { field: withDefault(inQuery.oneOf(['asc', 'desc']), 'desc'), takes: ['asc', ''] },
  'in query: integer': { field: inQuery.integer({ min: -1 }), takes: ['-1', '007'] },
  'in query: flag': { field: inQuery.flag(), takes: ['true', 'false', '1', '0', ''] },
  'in query: integers': { field: inQuery.integers({ min: 1 }), takes: ['1,2', ['1', '2,3'], '', ',,'] },
  'in query: words': { field: inQuery.words(['PIX', 'BOLETO']), takes: ['PIX', ['PIX', 'BOLETO'], 'PIX, BOLETO'] },
  'in query: page': { field: inQuery.page(), takes: ['1', '100000000000'] },
  'in query: per page': { field: inQuery.perPage({ usual: 100, max: 500 }), takes: ['1', '500'] },
  'in query: e-mail': { field: inQuery.of(email()), takes: ['a@b.co'] },
  'in query: tax id': { field: inQuery.of(taxId()), takes: ['529.982.247-25'] },
}
