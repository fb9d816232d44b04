import { left, right } from '../../failure.ts'
import { nullable, required } from '../../kernel/input/field.ts'
import { type InputOf, input, pick } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { timestamp } from '../../kernel/input/scalars.ts'
import { view } from '../../kernel/input/view.ts'
import { eq } from '../../kernel/records/record.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import { type List, listOf } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  type ACCOUNT_TYPES,
  NO_REGISTRATION,
  pairFields,
  type Registration,
  registrationFields,
  registrations,
  type ShownRegistration,
  shownRegistration,
} from './registration.ts'

/** The newest registration of a document: after a rejected one the applicant may register again. */
const newestRegistration = (document: string): List<Registration> =>
  listOf(registrations, { where: eq('document', document), sort: { by: 'createdAt', dir: 'desc' }, limit: 1 })

export const registrationLookup = input('RegistrationLookup', { document: required(inQuery.of(pairFields.document)) })

export type RegistrationLookup = InputOf<typeof registrationLookup>

/** Reads the newest registration of a document. Fails: `fields`, `registration.unknown`. */
export const readRegistration = (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (given: RegistrationLookup) =>
  withValidInput(ports, registrationLookup, given, ({ document }) =>
    useCaseOf<ShownRegistration>()(async () => {
      const [newest] = (await ports.store.list(newestRegistration(document))).records
      return newest ? right(shownRegistration(newest)) : left(NO_REGISTRATION)
    }),
  )

type AccountType = (typeof ACCOUNT_TYPES)[number]

export const accountTypeOf = (document: string): AccountType => (taxIdKind(document) === 'CPF' ? 'PF' : 'PJ')

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
