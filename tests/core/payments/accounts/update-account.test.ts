import test from 'ava'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import { failure, isLeft, left } from '../../../../core/failure.ts'
import { MAX_IMAGE_BYTES } from '../../../../core/kernel/input/image.ts'
import type { DecodedOf } from '../../../../core/kernel/input/input.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import {
  type Account,
  accounts,
  newSecrets,
  type ShownAccount,
  shownAccount,
} from '../../../../core/payments/accounts/account.ts'
import { decideTerms, setTerms, type terms } from '../../../../core/payments/accounts/change-account.ts'
import { type AccountChange, updateAccount } from '../../../../core/payments/accounts/update-account.ts'
import { endOfSentence, openLogo } from '../../../../core/payments/accounts/views.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { attachImage, saveImage } from '../../../../core/payments/office.ts'
import { ADMIN } from '../../../../core/payments/payments-ports.ts'
import { byId } from '../../../../core/ports/store.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { anAccount } from '../records.ts'
import { failureOf, NOW, openPayments, right, wrongIn } from '../world.ts'

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
    ports,
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

type Terms = DecodedOf<typeof terms>

const decide = (given: Terms, over: Partial<Account> = {}) =>
  decideTerms(anAccount(over), given, null, openPayments().fresh())
const setBy = (given: Terms, over: Partial<Account> = {}): ShownAccount => {
  const made = decide(given, over)
  if (isLeft(made)) throw new Error(made.left.code)
  return made.right.value(() => null)
}

test('sets the sent fields one by one, and keeps the others', (t) => {
  const { taxes, limits } = anAccount()
  const before = {
    taxes: { ...taxes, pixInCents: 5, boletoCents: 7 },
    limits: { ...limits, chargeMinCents: 1, chargeMaxCents: 9 },
  }
  const after = setBy({ fees: { pixInCents: 99 }, limits: { chargeMinCents: null } }, before)
  t.deepEqual(after, {
    ...shownAccount(anAccount()),
    fees: { ...before.taxes, pixInCents: 99 },
    limits: { ...before.limits, chargeMinCents: null },
    updatedAt: after.updatedAt,
  })
  t.deepEqual({ ...setBy({}), updatedAt: NOW }, shownAccount(anAccount()))
})

test('stores a Pix key in the form of the DICT, and removes it for null', (t) => {
  t.is(setBy({ pixKey: '+55 61 91234-5678' }).pixKey, '+5561912345678')
  t.is(setBy({ pixKey: null }, { pixKey: 'loja@example.com' }).pixKey, null)
  t.is(setBy({}, { pixKey: 'loja@example.com' }).pixKey, 'loja@example.com')
})

test('accepts a bank by its three digits', (t) => {
  t.is(setBy({ bankCode: '1' }).bankCode, '001')
  t.is(setBy({ bankCode: '748' }, { bankCode: '001' }).bankCode, '748')
})

test('reports both an unknown bank and a malformed Pix key', (t) => {
  t.deepEqual(failureOf(decide({ bankCode: '999', pixKey: 'minha chave' })), {
    tag: 'invalid',
    code: 'fields',
    issues: [
      { path: 'bankCode', code: 'unknown' },
      { path: 'pixKey', code: 'pix-key' },
    ],
  })
  t.like(failureOf(decide({ bankCode: '' })), { code: 'fields' })
})

test('returns account.unknown for a missing and for a removed account', (t) => {
  t.like(failureOf(decideTerms(null, {}, null, openPayments().fresh())), { code: 'account.unknown' })
  t.like(failureOf(decide({}, { removedAt: NOW })), { code: 'account.unknown' })
})

test('loses none of many simultaneous changes, even if the clock does not advance', async (t) => {
  const { ports, every } = openPayments()
  await ports.store.commit([insert(accounts, anAccount())])
  const keys = ['pixInCents', 'pixOutCents', 'boletoInCents', 'boletoCents'] as const
  const all = await Promise.all(keys.map((key, index) => setTerms(ports)(1, { fees: { [key]: index + 1 } })()))
  for (const each of all) right(each)
  t.like((await every(accounts))[0], { taxes: { pixInCents: 1, pixOutCents: 2, boletoInCents: 3, boletoCents: 4 } })
})

test('merges a change that another process commits between read and commit', async (t) => {
  const { ports, kept } = await withAccount()
  // Another store, so that the changes of both processes do not wait for each other.
  const before = (other: () => Promise<unknown>) => {
    let isFirst = true
    const store = beforeCommits(ports.store, async () => {
      if (!isFirst) return
      isFirst = false
      await other()
    })
    return { ...ports, store }
  }
  const update = async (of: typeof ports, given: AccountChange) => right(await updateAccount(of)(ACTOR, given)())
  const set = async (of: typeof ports, given: Terms) => right(await setTerms(of)(1, given)())
  await update(
    before(() => update(ports, { address: { city: 'Canela' } })),
    { address: { street: 'Rua das Flores' } },
  )
  await set(
    before(() => set(ports, { fees: { pixInCents: 5 } })),
    { fees: { boletoCents: 7 } },
  )
  const account = await kept()
  t.like(account?.address, { street: 'Rua das Flores', city: 'Canela' })
  t.like(account?.taxes, { pixInCents: 5, boletoCents: 7 })
})

test('makes one of several changes of the PIN at once, and tells the others that the PIN is wrong', async (t) => {
  const { change, kept } = await withAccount()
  const pins = ['135790', '246801', '975310']
  const outcomes = await Promise.all(pins.map((newPin) => change({ newPin })))
  const made = outcomes.findIndex((outcome) => !isLeft(outcome))
  t.deepEqual(
    outcomes.filter((_, at) => at !== made),
    [left(failure('forbidden', 'pin.wrong')), left(failure('forbidden', 'pin.wrong'))],
  )
  t.is((await kept())?.pinHash, `hash of ${pins[made]}`)
})

test('sets no PIN of an unknown account', async (t) => {
  const { ports } = openPayments()
  const outcome = await updateAccount(ports)(ACTOR, { newPin: '135790' })()
  t.is(isLeft(outcome) && outcome.left.code, 'account.unknown')
})

const IMAGE = { contentType: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) } as const

const withFile = async (kind: 'logo' | 'registration') => {
  const ports = { ...openPayments().ports, files: memoryFiles() }
  return { ports, id: right(await saveImage(ports, kind, IMAGE)) }
}

const NO_LOGO = left(failure('not-found', 'logo.unknown'))

test('reads a logo while an account refers to it, and no other file', async (t) => {
  const { ports, id } = await withFile('logo')
  const open = openLogo(ports)
  t.deepEqual(await open(id)(), NO_LOGO)
  await ports.store.commit([attachImage(id)])
  const shown = right(await open(id)())
  t.like(shown, { contentType: 'image/png', sizeBytes: 4 })
  const bytes: number[] = []
  for await (const chunk of shown.chunks) bytes.push(...chunk)
  t.deepEqual(bytes, [...IMAGE.bytes])
  t.deepEqual(await open('nothing')(), NO_LOGO)

  const other = await withFile('registration')
  await other.ports.store.commit([attachImage(other.id)])
  t.deepEqual(await openLogo(other.ports)(other.id)(), NO_LOGO)
})

test('ends a sentence with one full stop, also after a name that has one', (t) => {
  t.deepEqual(['Aurora', 'Aurora Ltda.'].map(endOfSentence), ['Aurora.', 'Aurora Ltda.'])
})
