import { t } from '../../../core/fp.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { CLIENT_TYPES, GENDERS } from '../../../core/payments/customers/client.ts'

/** A client as `clientView` shows it. */
export const clientShape = t.type({
  id: out.id,
  code: t.string,
  name: t.string,
  email: out.nullable(t.string),
  phone: out.nullable(t.string),
  document: out.nullable(t.string),
  type: out.nullable(out.oneOf(CLIENT_TYPES)),
  gender: out.nullable(out.oneOf(GENDERS)),
  birthdate: out.nullable(out.day),
  status: out.oneOf(['ACTIVE', 'INACTIVE', 'DELETED']),
  address: out.json,
  metadata: out.json,
  created_at: out.instant,
  updated_at: out.instant,
})

/** An example of it, for the documentation. */
export const clientExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '52998224725',
  type: 'individual',
  gender: 'female',
  birthdate: '1990-02-28',
  status: 'ACTIVE',
  address: null,
  metadata: { origem: 'loja' },
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}
