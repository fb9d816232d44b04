import { failure, invalid, issue } from '../../failure.ts'
import { left } from '../../fp.ts'
import { check, insert } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { randomCode } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { isOffered } from '../charges/issue/offered.ts'
import { type Client, clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { detailOf } from './find-link.ts'
import { lastDayOf, overAt } from './link/expiry.ts'
import { linkSearch, links, type PaymentLink } from './link/link.ts'
import type { LinkMethod } from './link/link-fields.ts'
import { sealedToken } from './link/link-token.ts'
import { type CheckedLink, type NewLink, newLink } from './link-inputs.ts'

/** As many characters as the public id of a link has: unguessable. */
const ID_LENGTH = 22
const TOKEN_LENGTH = 40
const REFERENCE_LENGTH = 12

type Maker = Pick<Actor, 'userId' | 'accountId'>

/**
 * Makes a link by which an account is paid.
 * Fails: `fields` (`unknown` for a client of another account), `bank.unsupported` (a method that nobody could pay by).
 * Source: 02-billing.md, Payment links; decisions.md §7 and §9.
 */
export const createLink = (ports: PaymentsPorts) => (actor: Maker, given: NewLink) =>
  withValidInput(ports, newLink, given, (asked) =>
    useCase(
      ports,
      async (store) => (asked.clientId === null ? null : store.find(byId(clients, asked.clientId))),
      (client, fresh) => decideLink(ports, actor, asked, client, fresh),
    ),
  )

export const decideLink = (
  ports: Pick<PaymentsPorts, 'settings' | 'clock' | 'bank' | 'acquirer'> & { readonly cipher: Cipher },
  actor: Maker,
  asked: CheckedLink,
  client: Client | null,
  fresh: Fresh,
) => {
  const { clientId } = asked
  const isTheirs = client?.accountId === actor.accountId && client.removedAt === null
  if (clientId !== null && !isTheirs) return left(invalid([issue('clientId', 'unknown')]))
  if (!isPayableBy(ports, asked.paymentMethods)) return left(UNSUPPORTED)
  const link = linkOf(ports.cipher, actor, asked, fresh)
  const referred = clientId === null ? [] : [check(clients, clientId, eq('removedAt', null))]
  const uses = { usesCount: 0, receivedCents: 0 }
  return accept(detailOf(ports, { link, uses }), ...referred, insert(links, link))
}

export const UNSUPPORTED = failure('refused', 'bank.unsupported')

/** Whether bank and acquirer can take what each of these methods is paid by. */
export const isPayableBy = (
  { bank, acquirer }: Pick<PaymentsPorts, 'bank' | 'acquirer'>,
  methods: readonly LinkMethod[],
): boolean => methods.every((method) => (method === 'CARD' ? acquirer !== null : isOffered(bank, method)))

const linkOf = (cipher: Cipher, { userId, accountId }: Maker, asked: CheckedLink, fresh: Fresh): PaymentLink => {
  const id = randomCode(fresh, ID_LENGTH)
  const token = randomCode(fresh, TOKEN_LENGTH)
  const fields = {
    ...asked,
    paymentMethods: distinct(asked.paymentMethods),
    referenceCode: asked.referenceCode ?? randomCode(fresh, REFERENCE_LENGTH),
  }
  return {
    id,
    accountId,
    ...fields,
    ...endOf(asked.expiresAt),
    tokenSealed: sealedToken(cipher, id, token),
    usedPix: false,
    usedBoleto: false,
    usedCard: false,
    cardPayments: 0,
    receivedCents: 0,
    createdBy: userId,
    updatedBy: null,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
    updatedDay: fresh.today,
    removedAt: null,
    search: linkSearch(fields),
  }
}

/** Each method once, in the order given. */
export const distinct = (methods: readonly LinkMethod[]): LinkMethod[] => [...new Set(methods)]

/** When it is over, as it is looked for. */
export const endOf = (expiresAt: PaymentLink['expiresAt']): Pick<PaymentLink, 'lapsesAt' | 'dueDay'> => ({
  lapsesAt: expiresAt === null ? null : overAt(expiresAt),
  dueDay: expiresAt === null ? null : lastDayOf(expiresAt),
})
