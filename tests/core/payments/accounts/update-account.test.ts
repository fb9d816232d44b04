import test from 'ava'
import { MAX_IMAGE_BYTES } from '../../../../core/kernel/input/image.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { accounts, shownAccount } from '../../../../core/payments/accounts/account.ts'
import { newSecrets } from '../../../../core/payments/accounts/account-secrets.ts'
import type { AccountChange } from '../../../../core/payments/accounts/update-account.ts'
import { updateAccount } from '../../../../core/payments/accounts/update-account.ts'
import { ADMIN } from '../../../../core/payments/actor.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { byId } from '../../../../core/ports/store.ts'
import { anAccount, failureOf, right, testPorts } from '../access/test-ports.ts'

const ACTOR = { accountId: 1, userId: 1, permissions: ADMIN.permissions }

const withAccount = async () => {
  const { ports, fresh } = testPorts()
  const { sealed } = newSecrets(ports.cipher, fresh(), 1)
  const account = anAccount(sealed)
  await ports.store.commit([
    insert(accounts, account),
    reserveUnique('document', account.document, account.id, account.id),
  ])
  const update = updateAccount(ports)
  return {
    account,
    kept: () => ports.store.find(byId(accounts, 1)),
    change: (given: AccountChange) => update(ACTOR, given)(),
    /** The issues of any failure. */
    wrongIn: async (given: unknown): Promise<readonly (readonly [path: string, code: string])[]> => {
      const failure = failureOf(await update(ACTOR, given as AccountChange)())
      return failure?.tag === 'invalid' ? failure.issues.map(({ path, code }) => [path, code] as const) : []
    },
  }
}

const SMTP = {
  host: 'smtp.padaria.example',
  port: 587,
  user: 'contato',
  password: 'segredo',
  encryption: 'tls',
  fromAddress: 'contato@padaria.example',
} as const

test('changes settings by program names and values, and stores them in canonical form', async (t) => {
  const { change, kept } = await withAccount()
  const { account } = right(
    await change({
      name: ' Padaria Nova ',
      email: 'Contato@Padaria.Example',
      document: '529.982.247-25',
      webhookUrl: 'https://padaria.example/webhooks',
      address: { state: 'rs', zipCode: '90000-000' },
      smtp: { ...SMTP, host: 'SMTP.Padaria.Example' },
      notificationRules: {
        on_payment: { enabled: true },
        before_due: { enabled: true, channels: ['sms', 'sms'], days: 3 },
      },
      boletoConfigs: { rateHundredths: 150, typeRate: 'PERCENTAGE' },
      newPin: '135790',
    }),
  )
  t.like(account, {
    name: 'Padaria Nova',
    email: 'contato@padaria.example',
    document: '52998224725',
    webhookUrl: 'https://padaria.example/webhooks',
    address: { street: null, number: null, city: null, state: 'RS', zipCode: '90000000' },
    boletoConfigs: { rateHundredths: 150, typeRate: 'PERCENTAGE', discountHundredths: null, typeDiscount: null },
    hasPin: true,
  })
  t.like(account.smtp, { host: 'smtp.padaria.example', fromName: 'Padaria' })
  t.deepEqual(account.notificationRules?.on_payment, { enabled: true, message: null, channels: ['email'], days: null })
  t.deepEqual(account.notificationRules?.before_due, { enabled: true, message: null, channels: ['sms'], days: 3 })
  const record = await kept()
  t.is(record?.pinHash, 'hash of 135790')
  t.deepEqual(record && shownAccount(record), account)
  const cleared = { webhookUrl: null, address: null, smtp: null, notificationRules: null, boletoConfigs: null }
  t.like(right(await change(cleared)).account, cleared)
})

const WRONG: readonly (readonly [given: object, path: string, code: string])[] = [
  [{ newPin: '12345' }, 'newPin', 'digits'],
  [{ newPin: 135_790 }, 'newPin', 'text'],
  [{ newPin: '123456' }, 'newPin', 'pin.weak'],
  [{ name: '' }, 'name', 'required'],
  [{ name: 'a'.repeat(101) }, 'name', 'text.max'],
  [{ name: null }, 'name', 'required'],
  [{ email: 'x' }, 'email', 'email'],
  [{ email: null }, 'email', 'required'],
  [{ document: '11111111111' }, 'document', 'document'],
  [{ document: 52_998_224_725 }, 'document', 'text'],
  [{ webhookUrl: 'javascript:alert(1)' }, 'webhookUrl', 'url'],
  [{ address: 'Rua A' }, 'address', 'object'],
  [{ address: { street: 'a\nb' } }, 'address.street', 'text.line'],
  [{ address: { number: 7 } }, 'address.number', 'text'],
  [{ address: { city: 'a'.repeat(101) } }, 'address.city', 'text.max'],
  [{ address: { state: 'R1' } }, 'address.state', 'state'],
  [{ address: { zipCode: '--' } }, 'address.zipCode', 'text.malformed'],
  [{ smtp: { ...SMTP, host: 'not a host' } }, 'smtp.host', 'host'],
  [{ smtp: { ...SMTP, port: Number.NaN } }, 'smtp.port', 'integer'],
  [{ smtp: { ...SMTP, port: 65_536 } }, 'smtp.port', 'integer.max'],
  [{ smtp: { ...SMTP, user: '' } }, 'smtp.user', 'required'],
  [{ smtp: { ...SMTP, password: 7 } }, 'smtp.password', 'text'],
  [{ smtp: { ...SMTP, encryption: 'none' } }, 'smtp.encryption', 'one-of'],
  [{ smtp: { ...SMTP, fromName: null } }, 'smtp.fromName', 'required'],
  [{ smtp: { ...SMTP, fromAddress: 'x' } }, 'smtp.fromAddress', 'email'],
  [{ smtp: { ...SMTP, fromAddress: undefined } }, 'smtp.fromAddress', 'required'],
  [{ smtp: { ...SMTP, password: undefined } }, 'smtp.password', 'required'],
  [{ notificationRules: { on_payment: {} } }, 'notificationRules.on_payment.enabled', 'required'],
  [{ notificationRules: { on_due: { enabled: 1 } } }, 'notificationRules.on_due.enabled', 'flag'],
  [{ notificationRules: { on_due: { enabled: true, message: 7 } } }, 'notificationRules.on_due.message', 'text'],
  [{ notificationRules: { on_due: { enabled: true, days: 1.5 } } }, 'notificationRules.on_due.days', 'integer'],
  [{ notificationRules: { on_due: { enabled: true, channels: [] } } }, 'notificationRules.on_due.channels', 'required'],
  [
    { notificationRules: { on_due: { enabled: true, channels: ['fax'] } } },
    'notificationRules.on_due.channels.0',
    'one-of',
  ],
  [{ boletoConfigs: { rateHundredths: 10.5 } }, 'boletoConfigs.rateHundredths', 'integer'],
  [{ boletoConfigs: { rateHundredths: -1 } }, 'boletoConfigs.rateHundredths', 'integer.min'],
  [{ boletoConfigs: { typeRate: 'DAILY' } }, 'boletoConfigs.typeRate', 'one-of'],
  [{ boletoConfigs: { discountHundredths: Number.NaN } }, 'boletoConfigs.discountHundredths', 'integer'],
  [{ boletoConfigs: { discountHundredths: 10_000 } }, 'boletoConfigs.discountHundredths', 'charge.discount'],
  [{ boletoConfigs: { typeDiscount: 1 } }, 'boletoConfigs.typeDiscount', 'one-of'],
  [{ logo: 'logo.png' }, 'logo', 'file'],
  [{ logo: { contentType: 'image/gif', bytes: new Uint8Array(1) } }, 'logo', 'image'],
  [{ logo: { contentType: 'image/png', bytes: new Uint8Array(MAX_IMAGE_BYTES + 1) } }, 'logo', 'file.max'],
]

test('reports every wrong field by its program name, and changes nothing', async (t) => {
  const { wrongIn, kept, account } = await withAccount()
  for (const [given, path, code] of WRONG) t.deepEqual(await wrongIn(given), [[path, code]], `${path} ${code}`)
  for (const given of [null, undefined, 7, 'name', []]) t.deepEqual(await wrongIn(given), [['', 'object']])
  t.deepEqual(await kept(), account)
})

test('reports all issues at once', async (t) => {
  const { wrongIn } = await withAccount()
  const given = { newPin: '1', email: 'x', document: '1', webhookUrl: 'ftp://a', smtp: { port: 0 } }
  t.deepEqual(await wrongIn(given), [
    ['newPin', 'digits'],
    ['email', 'email'],
    ['document', 'document'],
    ['webhookUrl', 'url'],
    ['smtp.port', 'integer.min'],
  ])
})
