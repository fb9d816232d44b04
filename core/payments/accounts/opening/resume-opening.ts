import { type Either, left, right } from '../../../fp.ts'
import { type Change, insert, patch, remove } from '../../../kernel/change.ts'
import { plusSeconds } from '../../../kernel/day.ts'
import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Fresh } from '../../../kernel/fresh.ts'
import { conclude, type Decided, decided, type UseCase } from '../../../kernel/use-case.ts'
import { always, eq } from '../../../kernel/where.ts'
import type { BankAnswer, OpenedAccount } from '../../../ports/bank.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import { audited } from '../../audit/audited.ts'
import { changesOf } from '../../audit/field-changes.ts'
import { claimId, claims, release, stake } from '../../claim.ts'
import { type User, users } from '../../identity/user.ts'
import { newBook } from '../../ledger/book.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { randomCode } from '../../random-code.ts'
import { type Account, accounts, UNSET } from '../account.ts'
import { newSecrets } from '../account-secrets.ts'
import { memberships, newMembership } from '../membership.ts'
import { ADMIN } from '../role.ts'
import { type Opening, openings, REFUSED_OPENING_SECONDS } from './opening.ts'

const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 600
const CODE_LENGTH = 22

export interface OpeningFacts {
  readonly opening: Opening | null
  /** What the opening became. */
  readonly account: Account | null
  /** Who asked for it. */
  readonly user: User | null
}

type Asked = BankAnswer<OpenedAccount> | null

/**
 * Asks the bank for the account of an opening, by our own id, and records its answer: called by the request that began
 * it, by a repeat of it and by the worker. An opening that ended before is not asked again.
 * Fails: `bank.refused`, `bank.unavailable`, `opening.unknown`. Source: decisions.md §1.
 */
export const resumeOpening =
  (ports: PaymentsPorts) =>
  (id: string): UseCase<Account> =>
  async (rider) => {
    const read = async (store: Store): Promise<OpeningFacts> => {
      const facts = await store.read({ opening: byId(openings, id), account: byKey(accounts, 'uuid', id) })
      return { ...facts, user: facts.opening && (await store.find(byId(users, facts.opening.userId))) }
    }
    const { opening } = await read(ports.store)
    const answer = opening?.state === 'asking' ? await ask(ports, opening) : null
    return conclude(ports, read, (facts, fresh) => decideOpened(ports, facts, answer, fresh))(rider)
  }

const ask = ({ bank }: PaymentsPorts, { id, name, document }: Opening): Promise<BankAnswer<OpenedAccount>> =>
  bank.openAccount({ reference: id, name, document })

/** Turns the bank's answer into the account, or into the reason why there is none: once. */
export const decideOpened = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  { opening, account, user }: OpeningFacts,
  answer: Asked,
  fresh: Fresh,
): Decided<Either<Failure, Account>> => {
  if (account) return decided<Either<Failure, Account>>(right(account))
  if (!opening) return decided(left(failure('not-found', 'opening.unknown')))
  if (opening.state === 'refused' || !answer)
    return decided(left(refusal(opening.reason)), ...forgetting(opening, fresh))
  if (answer.outcome === 'refused') return refused(opening, answer.reason, fresh)
  if (answer.outcome !== 'done') return askLater(opening, fresh)
  // Whoever embeds the core may know people that this store does not.
  const owner = user ?? { id: opening.userId, name: '', email: '', document: null }
  return opened(ports, opening, owner, answer.value, fresh)
}

const refusal = (reason: string | null): Failure => ({
  tag: 'refused',
  code: 'bank.refused',
  ...(reason === null ? {} : { reason }),
})

// Nobody repeats its request any more.
const forgetting = ({ id, createdAt }: Opening, { now }: Fresh): readonly Change[] =>
  plusSeconds(createdAt, REFUSED_OPENING_SECONDS) <= now ? [remove(openings, id, always)] : []

const refused = ({ id, document }: Opening, reason: string, { now }: Fresh): Decided<Either<Failure, Account>> => {
  const set = { state: 'refused', reason, dueAt: plusSeconds(now, REFUSED_OPENING_SECONDS) } as const
  return decided(
    left(refusal(reason)),
    patch(openings, id, { set, when: eq('state', 'asking') }),
    release('document', document),
  )
}

const askLater = ({ id, attempts }: Opening, { now }: Fresh): Decided<Either<Failure, Account>> => {
  const retryAfterSeconds = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, 10))
  return decided(
    left({ tag: 'unavailable', code: 'bank.unavailable', retryAfterSeconds }),
    patch(openings, id, { set: { dueAt: plusSeconds(now, retryAfterSeconds) }, when: eq('state', 'asking') }),
  )
}

const opened = (
  { cipher, digest, bank }: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  opening: Opening,
  owner: Pick<User, 'id' | 'name' | 'email' | 'document'>,
  atBank: OpenedAccount,
  fresh: Fresh,
): Decided<Either<Failure, Account>> => {
  const { id: uuid, name, email, document } = opening
  const { now } = fresh
  const id = fresh.id(accounts)
  const { apiKey, sealed } = newSecrets(cipher, fresh, id)
  const account: Account = {
    id,
    uuid,
    codeAccount: randomCode(fresh, CODE_LENGTH),
    name,
    email,
    document,
    status: 'INACTIVE',
    ...atBank,
    bankCode: bank.compe,
    ...sealed,
    ...UNSET,
    admins: 1,
    removedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return decided(
    right(account),
    remove(openings, uuid, eq('state', 'asking')),
    insert(accounts, account),
    patch(claims, claimId('document', document), { set: { holder: id, accountId: id }, when: eq('holder', uuid) }),
    stake('api-key', digest.sha256(apiKey), id, id),
    newBook(id, 'main', now),
    insert(memberships, newMembership(fresh, owner, { accountId: id, roleId: ADMIN.id })),
    ...auditedOpening(opening, account, fresh),
  )
}

/** As of whoever asked for it, wherever the bank's answer found us. */
const auditedOpening = (
  { userId, address, device, name, email, document }: Opening,
  { id, agency, account, bankCode, pixKey }: Account,
  fresh: Fresh,
): readonly Change[] =>
  audited(
    fresh,
    { userId, origin: address === null ? null : { address, device } },
    {
      chain: `account:${id}`,
      action: 'account.opened',
      subject: `account:${id}`,
      changes: changesOf({}, { name, email, document, agency, account, bankCode, pixKey }),
    },
  )
