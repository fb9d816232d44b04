import { failure, left, right } from '../../failure.ts'
import { guid, nullable, output, timestamp, view } from '../../kernel/input/mod.ts'
import { eq, remove } from '../../kernel/records/record.ts'
import { accept, useCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { isTrusted, type TrustedDevice, trustedDevices, trustedDevicesOf } from '../challenges/trusted-device.ts'
import { auditUser, users } from '../members/user.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'

/** A trusted device without the digest of its token and the marks of password and factor. */
export type ShownDevice = Omit<TrustedDevice, 'tokenDigest' | 'passwordMark' | 'factorAt'>

export const shownDevice = ({ tokenDigest, passwordMark, factorAt, ...shown }: TrustedDevice): ShownDevice => shown

/** Lists the devices that are trusted now: a change of the password or the factor has voided those of before. */
export const listTrustedDevices =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>) =>
    useCaseOf<readonly ShownDevice[]>()(async () => {
      const { user, devices } = await ports.store.read({ user: byId(users, userId), devices: trustedDevicesOf(userId) })
      const now = ports.clock.steady()
      const trusted = user === null ? [] : devices.records.filter((device) => isTrusted(ports, device, user, now))
      return right(trusted.map(shownDevice))
    })

export const removeTrustedDevice =
  (ports: PaymentsPorts) =>
  ({ userId, origin = null }: Pick<Person, 'userId'> & { readonly origin?: Origin | null }, id: string) =>
    useCase(
      ports,
      (store) => store.find(byId(trustedDevices, id)),
      (device, fresh) =>
        device?.userId === userId
          ? accept(
              null,
              remove(trustedDevices, device.id, eq('userId', userId)),
              ...auditUser(fresh, { userId, origin }, userId, 'trusted-device.removed'),
            )
          : left(failure('not-found', 'trusted-device.unknown')),
    )

export const trustedDeviceView = view('TrustedDevice', {
  id: guid({ about: 'Identificador' }),
  device: nullable(output.text({ about: 'Dispositivo, como ele se apresenta' })),
  address: output.text({ about: 'Endereço IP de quando passou a ser confiável' }),
  createdAt: timestamp({ about: 'Quando passou a ser confiável' }),
  lastUsedAt: timestamp({ about: 'Último login por ele' }),
  expiresAt: timestamp({ about: 'Até quando é confiável' }),
})
