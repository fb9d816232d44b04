import { left, right } from '../../fp.ts'
import { required } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { eq } from '../../kernel/records/where.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type List, listOf } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  NO_REGISTRATION,
  type Registration,
  registrations,
  type ShownRegistration,
  shownRegistration,
} from './registration.ts'
import { pairFields } from './registration-fields.ts'

/** The newest registration of a document: a refused one may have another after it. */
export const newestRegistration = (document: string): List<Registration> =>
  listOf(registrations, { where: eq('document', document), sort: { by: 'createdAt', dir: 'desc' }, limit: 1 })

/** Whose registration is looked for. */
export const registrationLookup = input('RegistrationLookup', { document: required(inQuery.of(pairFields.document)) })

export type RegistrationLookup = InputOf<typeof registrationLookup>

/**
 * How the registration of a document stands.
 * Fails: `fields`, `registration.unknown`. Source: 01-access.md, GET /access/register/status.
 */
export const readRegistration = (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (given: RegistrationLookup) =>
  withValidInput(ports, registrationLookup, given, ({ document }) =>
    useCaseOf<ShownRegistration>()(async () => {
      const [newest] = (await ports.store.list(newestRegistration(document))).records
      return newest ? right(shownRegistration(newest)) : left(NO_REGISTRATION)
    }),
  )
