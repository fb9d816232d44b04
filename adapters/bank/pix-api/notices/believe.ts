import { isLeft } from '../../../../core/fp.ts'
import type { BankNotifications } from '../../../../core/ports/bank-notifications.ts'
import { toldIn } from '../client/json.ts'
import type { PixApi } from '../client/pix-api.ts'
import { type PixReceived, pixIn } from '../client/received.ts'
import { answerOf, isNotFound } from '../client/reply.ts'
import type { Notice } from './notices.ts'

/** What becomes of a notice; null where it is to be asked again. */
export type Believed = Notice['outcome']

/** A bank may tell of a payment a little before it knows of it itself. */
const TRIES_OF_UNKNOWN = 8

/** Asks the bank of a payment that somebody told of, and tells the platform what the bank says: nothing else is believed. */
export const believe = async (
  api: PixApi,
  notifications: Pick<BankNotifications, 'paid' | 'received'>,
  { id, attempts }: Pick<Notice, 'id' | 'attempts'>,
): Promise<Believed> => {
  const reply = await api.ask('GET', `/pix/${id}`)
  if (isNotFound(reply)) return attempts < TRIES_OF_UNKNOWN ? null : 'unfounded'
  const known = answerOf(reply, (body) => pixIn(toldIn(body)))
  if (known.outcome !== 'done' || known.value.endToEndId !== id) return null
  const { pixKey } = known.value
  return pixKey !== null && pixKey !== api.pixKey ? 'foreign' : tell(notifications, known.value, api.pixKey)
}

/** Money for a charge is the charge's; any other is the account's. */
const tell = async (
  { paid, received }: Pick<BankNotifications, 'paid' | 'received'>,
  { txid, pixKey: _, ...payment }: PixReceived,
  pixKey: string,
): Promise<Believed> => {
  if (txid !== null) {
    const told = await paid({ ...payment, txid, method: 'pix' })()
    if (!isLeft(told)) return 'taken'
    if (told.left.code !== 'title.unknown') return told.left.tag === 'unavailable' ? null : 'refused'
  }
  const told = await received({ ...payment, txid, pixKey })()
  if (!isLeft(told)) return 'taken'
  // It waits for the account that is to have the key: no money is lost for having come first.
  return told.left.tag === 'unavailable' || told.left.code === 'account.unknown' ? null : 'refused'
}
