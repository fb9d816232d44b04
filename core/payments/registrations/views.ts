import { nullable, required } from '../../kernel/input/field.ts'
import { type InputOf, input, pick } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { timestamp } from '../../kernel/input/scalars.ts'
import { view } from '../../kernel/input/view.ts'
import { eq } from '../../kernel/records/record.ts'
import { readUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import { listOf } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  type ACCOUNT_TYPES,
  pairFields,
  registrationFields,
  registrations,
  type ShownRegistration,
  shownRegistration,
} from './registration.ts'

export const registrationLookup = input('RegistrationLookup', { document: required(inQuery.of(pairFields.document)) })

export type RegistrationLookup = InputOf<typeof registrationLookup>

export const readRegistration = (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (submitted: RegistrationLookup) =>
  withValidInput(ports, registrationLookup, submitted, ({ document }) =>
    readUseCase('registration.unknown', async () => {
      const sort = { by: 'createdAt', dir: 'desc' } as const
      // The newest: after a rejected one the applicant may register again.
      const query = listOf(registrations, { where: eq('document', document), sort, limit: 1 })
      const [newest] = (await ports.store.list(query)).records
      return newest ? shownRegistration(newest) : null
    }),
  )

export const accountTypeOf = (document: string): (typeof ACCOUNT_TYPES)[number] =>
  taxIdKind(document) === 'CPF' ? 'PF' : 'PJ'

/** The status of a registration, for any caller. */
export const registrationStatusView = view(
  'AccountRegistrationStatus',
  pick(registrationFields, 'document', 'id', 'email', 'name', 'accountType', 'state'),
  (registration: ShownRegistration) => ({ ...registration, accountType: accountTypeOf(registration.document) }),
)

/** A registration, for its applicant. */
export const registrationView = view(
  'AccountRegistration',
  {
    ...registrationStatusView.table,
    address: nullable(registrationFields.address),
    createdAt: timestamp({ about: 'Quando foi iniciado' }),
  },
  (registration: ShownRegistration) => ({ ...registration, ...registrationStatusView.of(registration) }),
)
