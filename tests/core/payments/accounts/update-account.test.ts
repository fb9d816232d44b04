import test from 'ava'
import { MAX_IMAGE_BYTES } from '../../../../core/kernel/input/image.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import { accounts, newSecrets, shownAccount } from '../../../../core/payments/accounts/account.ts'
import { type AccountChange, updateAccount } from '../../../../core/payments/accounts/update-account.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { ADMIN } from '../../../../core/payments/payments-ports.ts'
import { byId } from '../../../../core/ports/store.ts'
import { anAccount } from '../records.ts'
import { openPayments, right, wrongIn } from '../world.ts'

const ACTOR = { accountId: 1, userId: 1, permissions: ADMIN.permissions }

const withAccount = async () => {
  const { ports, fresh } = openPayments()
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
    wrongIn: async (given: unknown) => wrongIn(await update(ACTOR, given as AccountChange)()),
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

const WRONG: readonly (readonly [given: object, issues: string])[] = [
  [{ newPin: '123456' }, 'newPin pin.weak'],
  [{ address: { state: 'R1', zipCode: '--' } }, 'address.state state, address.zipCode text.malformed'],
  [{ smtp: { ...SMTP, host: 'not a host' } }, 'smtp.host host'],
  [{ smtp: { ...SMTP, password: undefined } }, 'smtp.password required'],
  [{ notificationRules: { on_due: { enabled: true, channels: [] } } }, 'notificationRules.on_due.channels required'],
  [{ boletoConfigs: { discountHundredths: 10_000 } }, 'boletoConfigs.discountHundredths charge.discount'],
  [{ logo: { contentType: 'image/gif', bytes: new Uint8Array(1) } }, 'logo image'],
  [{ logo: { contentType: 'image/png', bytes: new Uint8Array(MAX_IMAGE_BYTES + 1) } }, 'logo file.max'],
]

test('reports settings against a rule by their program names, and changes nothing', async (t) => {
  const { wrongIn, kept, account } = await withAccount()
  for (const [given, issues] of WRONG) t.is((await wrongIn(given)).join(', '), issues)
  t.deepEqual(await kept(), account)
})
