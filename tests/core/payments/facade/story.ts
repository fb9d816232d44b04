import { digest } from '../../../../adapters/crypto/cipher.ts'
import { scryptHasher } from '../../../../adapters/crypto/hasher.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { rows } from '../../../../apps/payments/catalogue.ts'
import { isSecondStepRequired } from '../../../../core/payments/access/log-in.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { type Actor, API, MANAGER, type PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { fromBase32, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'
import { ORIGIN, openPayments, PASSWORD, right } from '../world.ts'
import { moneyStory } from './money-story.ts'
import { passkeyStory, passkeys } from './passkey-story.ts'
import { type Ask, type Before, callAll, keeping, type Modules, modulesOf, type Told } from './told.ts'

const ANA = { name: 'Ana Souza', email: 'ana@example.com', password: PASSWORD }
const ANAS_DOCUMENT = '12345678909'
const IMAGE = { contentType: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) } as const
const NOWHERE = { account: null, organization: null }
const SMTP = {
  ...{ host: 'mail.example.com', port: 587, user: 'ana', password: 'do servidor', encryption: 'tls' as const },
  ...{ fromName: 'Escola', fromAddress: 'escola@example.com' },
} as const

const businessFor = (told: Told, before?: Before) => {
  const instead = ({ settings }: PaymentsPorts) => ({
    ...{ settings: { ...settings, boletoSearchCode: 'busca' }, passkeys },
    hasher: scryptHasher({ logN: 1 }),
  })
  const world = openPayments({ instead })
  const { pay: plain, mailer, drain } = world
  return {
    ...world,
    pay: keeping(plain, told, before),
    /** Returns the text in the newest mail to an address that matches a pattern. */
    async mailed(email: string, pattern: RegExp): Promise<string> {
      await drain()
      const text = mailer.sent.findLast(({ to }) => to === email)?.text ?? ''
      const found = pattern.exec(text)?.[0]
      if (found === undefined) throw new Error(`no ${pattern} in: ${text}`)
      return found
    },
  }
}

type Business = ReturnType<typeof businessFor>

const signedIn = async ({ pay, mailed, drain }: Business) => {
  const { accessToken } = right(await pay.people.register(ANA, ORIGIN)())
  await drain()
  const person = right(await pay.sessions.authenticate(accessToken, ORIGIN)())
  right(await pay.codes.checkTries(ORIGIN)())
  right(await pay.codes.sendVerification(person)())
  right(await pay.codes.verifyEmail({ email: ANA.email, code: await mailed(ANA.email, /^\d{6}$/m) }, person)())
  const account = right(await pay.openings.open(person, { name: 'Escola', email: null, document: '11222333000181' })())
  right(await pay.openings.resume(account.uuid)())
  // A session that began before the account has it in its memberships.
  const caller = right(await pay.sessions.authenticate(accessToken, ORIGIN)())
  const member = right(await pay.access.resolveAccount(caller, NOWHERE, 'v1')())
  right(await pay.organizations.update(member, { status: 'ACTIVE' })())
  return { caller, member, accessToken }
}

type Self = Awaited<ReturnType<typeof signedIn>>

const readsOfSelf = async ({ pay }: Business, { caller, member }: Self) => {
  const changes = { currentPassword: PASSWORD, newPassword: `${PASSWORD}4`, document: ANAS_DOCUMENT }
  right(await pay.people.editSelf(caller, changes, ORIGIN)())
  await callAll(pay, 'people.readMe access.listOwnAccounts', caller)
  right(await pay.people.readLegacyMe(member)())
  right(await pay.access.findByApiKey(right(await pay.access.readAccount(member)()).secrets?.apiKey ?? '')())
  right(await pay.organizations.list(caller, null)())
  right(await pay.organizations.list(caller, {})())
}

const sessions = async ({ pay }: Business, { caller, member, accessToken }: Self) => {
  const logIn = () => pay.sessions.logIn({ email: ANA.email, password: `${PASSWORD}4` }, ORIGIN, 'the newest account')()
  right(await logIn())
  const other = right(await pay.sessions.list(caller)()).find(({ isCurrent }) => !isCurrent)?.session
  await callAll(pay, 'sessions.read sessions.end', caller, other?.id)
  const { secrets } = right(await pay.access.readAccount(member)())
  right(await pay.sessions.exchangeKey({ email: ANA.email, apiKey: secrets?.apiKey ?? '' }, ORIGIN)())
  const elsewhere = right(await pay.sessions.authenticate(right(await logIn()).accessToken, ORIGIN)())
  right(await pay.sessions.logOut(elsewhere)())
  right(await pay.sessions.refresh(right(await pay.sessions.readRefreshToken(accessToken)()))())
  right(await pay.sessions.confirmPassword(caller, { password: `${PASSWORD}4` }, ORIGIN)())
}

const secondFactor = async ({ pay, clock }: Business, { caller, member }: Self) => {
  const password = `${PASSWORD}4`
  const logIn = async () => right(await pay.sessions.beginLogIn({ email: ANA.email, password }, ORIGIN)())
  right(await pay.secondFactor.read(caller)())
  const { secret } = right(await pay.secondFactor.start(caller, { password }, ORIGIN)())
  const code = (of = secret) => {
    clock.advance(30)
    return totpAt(digest, fromBase32(of), totpStep(clock.now()))
  }
  right(await pay.secondFactor.confirm(caller, { code: code() })())
  const begun = await logIn()
  const challenge = isSecondStepRequired(begun) ? begun.challenge.id : ''
  right(await pay.secondFactor.completeLogIn({ challenge, code: code(), trustDevice: true }, ORIGIN)())
  const [device] = right(await pay.secondFactor.listDevices(caller)())
  right(await pay.secondFactor.removeDevice(caller, device?.id ?? '')())
  const { recoveryCodes } = right(await pay.secondFactor.replaceRecoveryCodes(caller, { code: code() })())
  right(await pay.secondFactor.changePolicy(member, { fromCents: 100 })())
  const { id: confirmation } = right(await pay.secondFactor.challenge(caller)())
  right(await pay.secondFactor.prove(caller, { challenge: confirmation, code: recoveryCodes[0] ?? '' })())
  right(await pay.secondFactor.changePolicy({ ...member, confirmation }, { fromCents: null })())
  right(await pay.secondFactor.readPolicy(member)())
  const { id: another } = right(await pay.secondFactor.challenge(caller)())
  right(await pay.secondFactor.prove(caller, { challenge: another, code: recoveryCodes[1] ?? '' })())
  const eva = { name: 'Eva', email: 'eva@example.com', roleId: MANAGER.id, password: PASSWORD }
  const { user: added } = right(await pay.team.add(member, eva)())
  const resets = [
    () => pay.secondFactor.resetMember({ ...member, confirmation: another }, added.id)(),
    () => pay.secondFactor.reset({ email: eva.email })(),
  ]
  for (const reset of resets) {
    const { accessToken } = right(await pay.sessions.logIn({ email: eva.email, password: PASSWORD }, ORIGIN)())
    const person = right(await pay.sessions.authenticate(accessToken, ORIGIN)())
    const { secret: evas } = right(await pay.secondFactor.start(person, { password: PASSWORD }, ORIGIN)())
    right(await pay.secondFactor.confirm(person, { code: code(evas) })())
    right(await reset())
  }
  right(await pay.team.remove(member, added.id)())
  right(await pay.secondFactor.remove(caller, { password, code: code() }, ORIGIN)())
}

const team = async ({ pay }: Business, { member }: Self) => {
  const rui = { name: 'Rui', email: 'rui@example.com', roleId: MANAGER.id, password: PASSWORD }
  const added = right(await pay.team.add(member, rui)())
  right(await pay.team.add(member, { name: 'Caixa', email: 'caixa@example.com', roleId: API.id })())
  right(await pay.team.list(member, null)())
  right(await pay.team.list(member, {})())
  right(await pay.team.listMemberships(member, 'people', {})())
  right(await pay.team.read(member, `${added.user.id}`)())
  right(await pay.team.readMembership(member, 'people', `${added.membership.id}`)())
  right(await pay.team.update(member, added.user.id, { password: `${PASSWORD}5` })())
  await callAll(pay, 'personalData.readMember personalData.drawMember', member, added.user.id)
  right(await pay.team.remove(member, added.user.id)())
  right(await pay.personalData.eraseMember(member, added.user.id)())
}

const settings = async ({ pay, clock }: Business, { member }: Self) => {
  right(await pay.accounts.setPin(member, { pin: '135790' })())
  right(await pay.accounts.checkPin(member, '135790')())
  const change = { smtp: SMTP, webhookUrl: 'https://loja.example.com/', logo: IMAGE, newPin: '246802' }
  const { account } = right(await pay.accounts.update(member, change)())
  right(await pay.accounts.openLogo(account.logoFileId ?? '')())
  right(await pay.access.readAccess(member)())
  right(await pay.accounts.checkPasswordRecent(member)())
  right(await pay.accounts.readSecrets(member)())
  const confirmed = { ...member, passwordRecentUntil: clock.now().replace(/^..../, '2100') }
  right(await pay.accounts.checkPasswordConfirmed(confirmed)())
  right(await pay.accounts.replaceApiKey(confirmed)())
  right(await pay.access.listAudit(member, {})())
  const issued = right(await pay.apiKeys.create(confirmed, { name: 'Loja', permissions: ['charges:read'] })())
  right(await pay.sessions.authenticate(issued.key, ORIGIN)())
  right(await pay.apiKeys.update(confirmed, issued.id, { name: 'Loja nova' })())
  right(await pay.apiKeys.read(member, `${issued.id}`)())
  right(await pay.apiKeys.rotate(confirmed, issued.id, {})())
  right(await pay.apiKeys.revoke(member, issued.id)())
  right(await pay.apiKeys.list(member, {})())
  const receiver = right(await pay.splitReceivers.create(member, { name: 'Loja' })())
  right(await pay.splitReceivers.read(member, `${receiver.id}`)())
  right(await pay.splitReceivers.revoke(member, receiver.id)())
  right(await pay.splitReceivers.list(member, {})())
  right(await pay.reminders.preview(member, { rule: 'on_due' })())
  right(await pay.accounts.setTerms(account.id, { fees: { pixInCents: 99 } })())
}

const clients = async ({ pay }: Business, { member }: Self) => {
  const { id } = right(await pay.clients.create(member, { name: 'Maria' })())
  await callAll(pay, 'clients.list', member, {})
  await callAll(pay, 'clients.list', member, null)
  right(await pay.clients.read(member, `${id}`)())
  right(await pay.clients.update(member, id, { phone: '61 91234-5678' })())
  right(await pay.clients.replace(member, id, { name: 'Maria' })())
  await callAll(pay, 'personalData.readClient personalData.drawClient', member, id)
  right(await pay.clients.remove(member, id)())
  right(await pay.personalData.eraseClient(member, id)())
}

const transfers = async ({ pay }: Business, { member }: Self) => {
  const rosa = { name: 'Rosa', email: 'rosa@example.com', password: PASSWORD }
  const { accessToken } = right(await pay.people.register(rosa, ORIGIN)())
  const other = () => pay.sessions.authenticate(accessToken, ORIGIN)()
  const school = { name: 'Escola', email: null, document: '12ABC34501DE35' }
  right(await pay.openings.open(right(await other()), school)())
  const there = right(await pay.access.resolveAccount(right(await other()), NOWHERE, 'v1')())
  const apiKey = right(await pay.access.readAccount(there)()).secrets?.apiKey ?? ''
  const { id } = right(await pay.transfers.send(member, { apiKey, valueCents: 100 })())
  right(await pay.transfers.resume(id)())
}

const notices = async ({ pay, drain }: Business, { caller, member }: Self) => {
  const page = right(await pay.notifications.list(caller, {})())
  await callAll(pay, 'notifications.read notifications.markRead', caller, page.records[0]?.id)
  await callAll(pay, 'notifications.countUnread notifications.markAllRead', caller)
  right(await pay.notifications.remove(caller, page.records[0]?.id ?? '')())
  right(await pay.notifications.removeRead(caller)())
  await drain()
  const [delivery] = right(await pay.webhooks.listDeliveries(member, {})()).records
  right(await pay.webhooks.readDelivery(member, `${delivery?.id}`)())
  right(await pay.webhooks.replayDelivery(member, delivery?.id ?? 0)())
}

const newcomers = async ({ pay, clock, mailed }: Business) => {
  const eva = { name: 'Eva', email: 'eva@example.com', document: '111.444.777-35', address: 'Rua A' }
  const { id: registrationId, document } = right(await pay.registrations.begin(eva, ORIGIN)())
  clock.advance(120)
  right(await pay.registrations.resendCodes({ registrationId, document })())
  const code = await mailed(eva.email, /^[A-Z]{4}$/m)
  right(await pay.registrations.confirm({ registrationId, document, code }, ORIGIN)())
  right(await pay.registrations.read({ document })())
  right(await pay.registrations.submitImages({ registrationId, document, image1: IMAGE, image2: IMAGE })())
  const leo = { name: 'Léo', email: 'leo@example.com', document: '11444777000161', password: PASSWORD }
  right(await pay.registrations.registerFull(leo, ORIGIN)())
}

const forgetful = async ({ pay, clock, mailed }: Business, { caller, member }: Self) => {
  const { email } = ANA
  clock.advance(120)
  right(await pay.codes.forgotPassword({ email })())
  right(await pay.codes.resetPassword({ email, code: await mailed(email, /^\d{6}$/m), password: PASSWORD }, ORIGIN)())
  clock.advance(120)
  const url = 'http://localhost/senha'
  right(await pay.codes.forgotPasswordByLink({ email, document: ANAS_DOCUMENT, url })())
  const token = await mailed(email, /(?<=token=)\w+/)
  right(await pay.codes.resetPasswordByToken({ token, password: PASSWORD }, ORIGIN)())
  // The account of the story has money.
  const empty = right(await pay.openings.open(caller, { name: 'Filial', email: null, document: '04252011000110' })())
  right(await pay.organizations.remove({ ...member, accountId: empty.id })())
  right(await pay.sessions.endAll(caller)())
}

type Members = Readonly<Record<string, Ask>>

/** Returns the request body of a row's example, as a program passes it. */
const sentBy = (row: AnyRow | undefined): unknown =>
  row?.input.body ? right(row.input.body.decode(row.example.request?.body)) : {}

const keptAndRemoved = async (members: Members, member: Actor, row: (verb: string) => AnyRow | undefined) => {
  const ask = async (name: string, ...given: readonly unknown[]) => {
    const one = members[name]
    return one ? right(await one(member, ...given)()) : null
  }
  const created = sentBy(row('create'))
  const { id } = (await ask('create', created)) as { readonly id: number }
  await ask('list', {})
  await ask('list', null)
  await ask('read', `${id}`)
  await ask('update', id, sentBy(row('update')))
  await ask('replace', id, created)
  await ask('remove', id)
}

/**
 * Of each resource of which something was not told yet, one is made, read, changed and removed, as the examples of its
 * rows say.
 */
const plainStory = async (modules: Modules, told: Told, member: Actor): Promise<void> => {
  for (const [module, members] of Object.entries(modules))
    if (members.create && Object.keys(members).some((name) => !told.has(`${module}.${name}`)))
      await keptAndRemoved(members, member, (verb) => rows.find(({ name }) => name === `${module}.${verb}`))
}

/** A day of a school, in which every member of the facade is asked and answers. */
export const story = async (told: Told, before?: Before): Promise<Business & { readonly pay: Payments }> => {
  const business = businessFor(told, before)
  const self = await signedIn(business)
  await readsOfSelf(business, self)
  await sessions(business, self)
  await secondFactor(business, self)
  await team(business, self)
  await settings(business, self)
  await clients(business, self)
  right(await business.pay.enumerations.listBanks({ search: 'sicredi' })())
  right(await business.pay.diagnostics.queueTestJob()())
  const days = { from: '2026-11-01', to: '2026-12-31' }
  right(await business.pay.diagnostics.tallyByBank({ ...days, bankId: 25 })())
  right(await business.pay.reports.charges(self.member, { ...days, groupBy: 'months' })())
  right(await business.pay.simulations.payment(self.member, { amountCents: 1_000, installments: 3 })())
  const quote = {
    valueCents: 1_000,
    paymentMethod: 'PIX',
    dueDate: '2026-12-31',
    day: '2026-12-31',
    fineHundredths: 200,
  } as const
  right(await business.pay.simulations.amountDue(self.member, quote)())
  await moneyStory(business, self.member)
  await transfers(business, self)
  await plainStory(modulesOf(business.pay), told, self.member)
  await notices(business, self)
  await newcomers(business)
  await passkeyStory(business.pay)
  await forgetful(business, self)
  return business
}
