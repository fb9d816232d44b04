import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'

const company = record({
  id: t.string,
  legalName: orNull(t.string),
  /** A CNPJ without marks. */
  taxId: orNull(t.string),
  createdAt: t.string,
})

/** An agency: whose everything is. Source: 03-real-estate.md, User; decisions.md §6, Register. */
export type Company = t.TypeOf<typeof company>

export const companies: Collection<Company> = { name: 'estate.companies', ids: 'text', codec: company, owner: null }
