import { withOffset } from '../../kernel/values/day.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import type { Registration } from './registration.ts'

/** `PF` for a CPF, `PJ` for a CNPJ. Source: decisions.md §1, Onboarding. */
export const ACCOUNT_TYPES = ['PF', 'PJ'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

export const accountTypeOf = (document: string): AccountType => (taxIdKind(document) === 'CPF' ? 'PF' : 'PJ')

/** What the look-up of a registration shows. Source: 01-access.md, GET /access/register/status. */
export const registrationStatusView = ({ id, document, email, name, state }: Registration) => ({
  document,
  id,
  email,
  name,
  account_type: accountTypeOf(document),
  account_status: state,
})

/** A registration as the API shows it to whom it belongs. Source: decisions.md §1, Onboarding. */
export const registrationView = (registration: Registration) => ({
  ...registrationStatusView(registration),
  address: registration.address,
  created_at: withOffset(registration.createdAt),
})
