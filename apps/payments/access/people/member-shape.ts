import { t } from '../../../../core/fp.ts'
import { out } from '../../../../core/kernel/input/outputs.ts'

/** A user as `memberView` shows it to legacy routes. */
export const memberShape = t.type({
  id: out.id,
  name: t.string,
  email: t.string,
  phone: out.nullable(t.string),
  document: out.nullable(t.string),
  status: t.literal('ACTIVE'),
})

export const roleShape = t.type({ id: out.id, name: t.string })

/** An example of it, for the documentation. */
export const memberExample = {
  id: 1,
  name: 'Maria da Silva',
  email: 'maria@example.com',
  phone: '+55 11 99999-0000',
  document: null,
  status: 'ACTIVE',
}
