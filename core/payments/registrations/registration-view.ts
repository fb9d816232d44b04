import { nullable } from '../../kernel/input/field.ts'
import { timestamp } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { view } from '../../kernel/input/view.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import type { ShownRegistration } from './registration.ts'
import { type ACCOUNT_TYPES, registrationFields } from './registration-fields.ts'

type AccountType = (typeof ACCOUNT_TYPES)[number]

export const accountTypeOf = (document: string): AccountType => (taxIdKind(document) === 'CPF' ? 'PF' : 'PJ')

/** What the look-up of a registration shows. Source: 01-access.md, GET /access/register/status. */
export const registrationStatusView = view(
  'AccountRegistrationStatus',
  pick(registrationFields, 'document', 'id', 'email', 'name', 'accountType', 'state'),
  (registration: ShownRegistration) => ({ ...registration, accountType: accountTypeOf(registration.document) }),
)

/** A registration as the API shows it to whom it belongs. Source: decisions.md §1, Onboarding. */
export const registrationView = view(
  'AccountRegistration',
  {
    ...registrationStatusView.table,
    address: nullable(registrationFields.address),
    createdAt: timestamp({ about: 'Quando foi iniciado' }),
  },
  (registration: ShownRegistration) => ({ ...registration, ...registrationStatusView.of(registration) }),
)
