import { t } from '../../../../core/fp.ts'
import { out } from '../../../../core/kernel/input/outputs.ts'

/** A user as `userView` shows it. */
export const userFields = {
  id: out.id,
  name: t.string,
  email: t.string,
  phone: out.nullable(t.string),
  email_verified_at: out.nullable(out.instant),
}

/** An example of it, for the documentation. */
export const userExample = {
  id: 1,
  name: 'Maria da Silva',
  email: 'maria@example.com',
  phone: '+55 11 99999-0000',
  email_verified_at: null,
}
