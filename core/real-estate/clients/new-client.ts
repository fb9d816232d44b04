import { issue } from '../../failure.ts'
import { input } from '../../kernel/input/input.ts'
import { rule } from '../../kernel/input/rules.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import { clientFields } from '../records/client.ts'

const KINDS = { Individual: 'CPF', Company: 'CNPJ' } as const

/** What makes a client, and what a PUT says: a person has a CPF, a company a CNPJ. Source: decisions.md §10, Fields. */
export const newClient = input(
  'NewClient',
  clientFields,
  rule(['taxId', 'type'], ({ taxId, type }) =>
    taxId === null || taxIdKind(taxId) === KINDS[type] ? [] : [issue('taxId', 'document.kind')],
  ),
)
