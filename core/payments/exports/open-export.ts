import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { byId, byKey } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { notifications } from '../office/notifications.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { CONTENT_TYPES, type ExportedFile, fileNameOf } from './document.ts'
import { type Export, exports } from './export.ts'

const UNKNOWN = failure('not-found', 'export.unknown')
const NO_EXPORT = failure('refused', 'export.type')
const PENDING = failure('not-found', 'export.pending')

/**
 * The file of an export, by the id of the notification that tells of it, for whoever has that: 122 random bits. Without the
 * notification there is none, nor of an account that was removed. Source: decisions.md §4; §11, Transfers and exports.
 */
export const openExport = (ports: PaymentsPorts) => (id: string) =>
  useCaseOf<ExportedFile>()(async () => {
    const { found, told } = await ports.store.read({
      found: byKey(exports, 'notification', id),
      told: byId(notifications, id),
    })
    if (!found) return left(told && !isOfExport(told) ? NO_EXPORT : UNKNOWN)
    const account = await ports.store.find(byId(accounts, found.accountId))
    if (!account || account.removedAt !== null) return left(UNKNOWN)
    if (found.state === 'waiting') return left(PENDING)
    const isOver = found.dueAt === null || found.dueAt <= ports.clock.steady()
    if (!told || found.state === 'failed' || isOver) return left(UNKNOWN)
    const chunks = await ports.files.open(id)
    return chunks ? right({ name: fileNameOf(found), contentType: CONTENT_TYPES[found.format], chunks }) : left(UNKNOWN)
  })

const isOfExport = ({ type }: { readonly type: string }): boolean => type === 'export.ready' || type === 'export.failed'

/** How far an export of the account is, by the id that downloads it. */
export const readExport =
  ({ store }: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    useCaseOf<Export>()(async () => {
      const found = await store.find(byKey(exports, 'notification', id))
      return found?.accountId === accountId ? right(found) : left(UNKNOWN)
    })
