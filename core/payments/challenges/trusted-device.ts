import { type Change, type Collection, eq, gt, insert, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { type List, listOf, NEWEST_FIRST } from '../../ports/store.ts'
import type { User } from '../members/user.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'

const trustedDevice = record({
  id: t.string,
  userId: t.number,
  /** The digest of the token, which has 40 random characters. */
  tokenDigest: t.string,
  /** The mark of the password and of the last change of the factor at log-in: a later change voids the device. */
  passwordMark: t.string,
  factorAt: t.string,
  device: orNull(t.string),
  address: t.string,
  createdAt: t.string,
  lastUsedAt: t.string,
  expiresAt: t.string,
})

/** A device on which a person need not prove the second factor for 30 days. */
export type TrustedDevice = t.TypeOf<typeof trustedDevice>

export const trustedDevices: Collection<TrustedDevice> = {
  name: 'payments.trusted-devices',
  ids: 'text',
  codec: trustedDevice,
  owner: null,
  keys: { token: ({ tokenDigest }) => tokenDigest },
  indexes: [
    { eq: 'userId', sort: 'createdAt', acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

const TRUSTED_SECONDS = 30 * 24 * 3_600
const TOKEN_LENGTH = 40
/** The most devices that a list shows, the newest; older ones end after 30 days. */
const MAX_LISTED = 200

export const trustedDevicesOf = (userId: number): List<TrustedDevice> =>
  listOf(trustedDevices, { where: eq('userId', userId), sort: NEWEST_FIRST, limit: MAX_LISTED })

type MarkPorts = Pick<PaymentsPorts, 'digest'>

/** The mark of the password and the last change of the factor that a trusted device must have. */
const marksOf = ({ digest }: MarkPorts, { passwordHash, secondFactorAt }: User) => ({
  passwordMark: digest.sha256(passwordHash ?? ''),
  factorAt: secondFactorAt ?? '',
})

/** Reports whether a device was trusted under the present password and factor of its user, and has not expired. */
export const isTrusted = (ports: MarkPorts, device: TrustedDevice, user: User, now: Instant): boolean => {
  const { passwordMark, factorAt } = marksOf(ports, user)
  return (
    device.userId === user.id &&
    device.passwordMark === passwordMark &&
    device.factorAt === factorAt &&
    device.expiresAt > now
  )
}

/** Returns the token of a newly trusted device, which is shown once, and the change that stores its digest. */
export const trustDevice = (
  ports: MarkPorts,
  user: User,
  { device, address }: Origin,
  fresh: Fresh,
): { readonly token: string; readonly change: Change } => {
  const token = randomCode(fresh, TOKEN_LENGTH)
  const change = insert(trustedDevices, {
    id: fresh.uuid(),
    userId: user.id,
    tokenDigest: ports.digest.sha256(token),
    ...marksOf(ports, user),
    device,
    address,
    createdAt: fresh.now,
    lastUsedAt: fresh.now,
    expiresAt: addSeconds(fresh.steady, TRUSTED_SECONDS),
  })
  return { token, change }
}

/** Returns the change of a log-in on a trusted device; a simultaneous removal of the device makes it stale. */
export const useTrustedDevice = ({ id }: TrustedDevice, { now, steady }: Fresh): Change =>
  patch(trustedDevices, id, { set: { lastUsedAt: now }, when: gt('expiresAt', steady) })
