import { left, right } from '../../fp.ts'
import { eq } from '../../kernel/records/where.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { type List, listOf } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { NO_REGISTRATION, type Registration, registrations } from './registration.ts'

/** The newest registration of a document: a refused one may have another after it. */
export const newestRegistration = (document: string): List<Registration> =>
  listOf(registrations, { where: eq('document', document), sort: { by: 'createdAt', dir: 'desc' }, limit: 1 })

/**
 * How the registration of a document stands.
 * Fails: `registration.unknown`. Source: 01-access.md, GET /access/register/status.
 */
export const readRegistration =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  (document: string) =>
    useCaseOf<Registration>()(async () => {
      const [newest] = (await store.list(newestRegistration(document))).records
      return newest ? right(newest) : left(NO_REGISTRATION)
    })
