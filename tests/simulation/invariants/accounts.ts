import { claimId } from '../../../core/payments/claim.ts'
import { ledgerAccountId } from '../../../core/payments/ledger/ledger.ts'
import { ADMIN } from '../../../core/payments/payments-ports.ts'
import { type Invariant, repeated, unless } from './judged.ts'

/** An opening ends as one account or none; each document is claimed by its holder. */
export const openedOnce: Invariant = ({ held, bank }) => {
  const holders = new Map(held.claims.map(({ id, holder }) => [id, holder]))
  const books = new Set(held.books.map(({ id }) => id))
  const opened = new Set(bank.accounts)
  const asked = new Set(held.operations.filter(({ state }) => state === 'asking').map(({ id }) => id))
  const documents = [...held.accounts, ...held.openings].map(({ document }) => document)
  const claimed = held.claims.filter(({ id }) => id.startsWith('document:')).length
  return [
    ...repeated(documents).map((document) => `${document} has two holders`),
    ...unless([
      [claimed === documents.length, `${claimed} documents are claimed and ${documents.length} held`],
      [held.memberships.length === held.accounts.length, 'an account has no member, or two'],
    ]),
    ...held.openings.flatMap(({ id, document, operationId }) =>
      unless([
        [holders.get(claimId('document', document)) === id, `opening ${id} has not claimed ${document}`],
        [operationId === id && asked.has(id), `opening ${id} has no running bank operation`],
      ]),
    ),
    ...held.accounts.flatMap(({ id, uuid, document }) =>
      unless([
        [holders.get(claimId('document', document)) === id, `account ${id} has not claimed ${document}`],
        [opened.has(uuid), `account ${id} is unknown to the bank`],
        [books.has(ledgerAccountId(id, 'main')), `account ${id} has no book`],
        [!held.openings.some((opening) => opening.id === uuid), `account ${id} is still being opened`],
        [
          held.memberships.some(({ accountId, roleId }) => accountId === id && roleId === ADMIN.id),
          `account ${id} has no administrator`,
        ],
      ]),
    ),
  ]
}

/** Each e-mail is claimed by its one user. */
export const registeredOnce: Invariant = ({ held }) => {
  const holders = new Map(held.claims.map(({ id, holder }) => [id, holder]))
  return held.users.flatMap(({ id, email }) =>
    unless([[holders.get(claimId('email', email)) === id, `user ${id} has not claimed ${email}`]]),
  )
}
