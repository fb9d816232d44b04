import type { Account } from '../../accounts/account.ts'

/** Source: 01-access.md, v1 organization. */
export const organizationView = ({ id, uuid, name, email, document, status }: Account) => ({
  id,
  uuid,
  name,
  email,
  document,
  status,
})
