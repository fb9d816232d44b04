import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { diskFiles } from '../../../../adapters/files/disk-files.ts'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import type { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../../../adapters/sqlite/mod.ts'
import { findings } from '../../../../apps/audit/findings.ts'
import { fieldCodecs } from '../../../../core/kernel/records/record.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { type Client, clients } from '../../../../core/payments/customers/client.ts'
import { exports } from '../../../../core/payments/exports/export.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { audit, mails } from '../../../../core/payments/office.ts'
import { payments, paymentsCollections } from '../../../../core/payments/payments.ts'
import { erasures, TREATMENTS } from '../../../../core/payments/privacy/erasure.ts'
import { memberErasures } from '../../../../core/payments/privacy/member-erasure.ts'
import type { Files } from '../../../../core/ports/files.ts'
import { type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import { fileFor } from '../../../adapters/sqlite/file.ts'
import { everyRecord } from '../../../every-record.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { ORIGIN, openPayments, right, WORLD_COLLECTIONS, type World } from '../world.ts'

type MemoryPorts = ReturnType<typeof memoryPorts>

const EMAIL = 'zuleica@quaresma.example'
const ABOUT = 'Aula da Zuleica'
const PERSON = { name: 'Zuleica', email: EMAIL, document: '52998224725' }

/** A store of which commits can be made to fail, before or after they take effect. */
const breakable = (store: Store) => {
  let left = Number.POSITIVE_INFINITY
  let isStored = false
  return {
    breakAfter(commits: number, stored: boolean) {
      left = commits
      isStored = stored
    },
    store: {
      ...store,
      async commit(...args: Parameters<Store['commit']>) {
        left -= 1
        if (left >= 0) return store.commit(...args)
        if (isStored && left === -1) await store.commit(...args)
        throw new StoreUnavailable('killed')
      },
    } satisfies Store,
  }
}

/** A merchant with a client who has a paid and an expired charge, and an export of the payment. */
const shop = async (base: Store = memoryStore(WORLD_COLLECTIONS), files: Files = memoryFiles()) => {
  const { store, breakAfter } = breakable(base)
  const { pay, clock, merchant, bank, stored } = openPayments({ store, instead: () => ({ files }) })
  const { member: actor } = await merchant()
  const client = right(await pay.clients.create(actor, PERSON)())
  const order = {
    valueCents: 15_050,
    paymentMethod: 'PIX',
    payer: { clientId: client.id },
    description: ABOUT,
  } as const
  const issue = async (dueDate: string) => right(await pay.charges.issue(actor, { ...order, dueDate })()).charge
  const paid = await issue('2026-11-30')
  await issue('2026-11-24')
  right(await bank.pay({ txid: paid.txid ?? '' })())
  const worker = pay.worker({ report: () => {} })
  await worker.drain()
  right(await pay.exports.exportTransactions(actor, { format: 'csv' })())
  clock.set('2026-11-26T13:00:00.000Z')
  await worker.drain()
  return { pay, actor, client, clock, worker, store: base, breakAfter, stored }
}

test('completes an erasure that was interrupted at any commit, before or after it was stored', async (t) => {
  for (const isStored of [false, true])
    for (let commits = 0, isWhole = false; !isWhole; commits += 1) {
      const files = memoryFiles()
      const { pay, actor, client, clock, worker, store, breakAfter, stored } = await shop(undefined, files)
      t.true((await stored()).includes(ABOUT))
      t.is(files.names().length, 1)
      breakAfter(commits, isStored)
      const outcomes = [await pay.personalData.eraseClient(actor, client.id)()]
      await worker.drain().catch(() => {})
      clock.advance(121)
      await worker.drain().catch(() => {})
      isWhole = (await everyRecord(store, erasures))[0]?.status === 'completed'
      breakAfter(Number.POSITIVE_INFINITY, false)
      outcomes.push(await pay.personalData.eraseClient(actor, client.id)())
      for (const seconds of [0, 300, 300, 300]) {
        clock.advance(seconds)
        await worker.drain()
      }
      t.like(await everyRecord(store, erasures), [{ status: 'completed', payerName: 'Zuleica' }], `${commits}`)
      const text = await stored()
      t.false(text.includes(ABOUT) || text.includes(EMAIL), `${commits} commits, ${isStored ? 'stored' : 'lost'}`)
      t.deepEqual([files.names(), await everyRecord(store, exports)], [[], []])
      t.is(text.split('personal-data.erased').length - 1, 1)
      for await (const { area, faults } of findings({ store, digest }, paymentsCollections))
        t.deepEqual(faults, [], area)
    }
})

test('waits for an export that cannot be written yet, and keeps one without entries of the payer', async (t) => {
  const files = memoryFiles()
  let isAway = false
  const write: Files['write'] = async (...file) => {
    if (isAway) throw new StoreUnavailable('away')
    await files.write(...file)
  }
  const { pay, actor, client, clock, worker, store } = await shop(undefined, { ...files, write })
  const status = async () => (await everyRecord(store, erasures))[0]?.status
  isAway = true
  right(await pay.exports.exportTransactions(actor, { format: 'csv' })())
  right(await pay.exports.exportStatement(actor, { from: '2026-10-01', to: '2026-10-02' })())
  right(await pay.personalData.eraseClient(actor, client.id)())
  for (const seconds of [0, 121]) {
    clock.advance(seconds)
    await worker.drain().catch(() => {})
  }
  t.is(await status(), 'processing')
  isAway = false
  for (const seconds of [300, 300]) {
    clock.advance(seconds)
    await worker.drain()
  }
  t.is(await status(), 'completed')
  t.like(await everyRecord(store, exports), [{ kind: 'statement', state: 'ready' }])
  t.is(files.names().length, 1)
})

test('completes the erasure of a member that was interrupted at any commit, before or after it was stored', async (t) => {
  for (const isStored of [false, true])
    for (let commits = 0, isWhole = false; !isWhole; commits += 1) {
      const { pay, actor, clock, worker, store, breakAfter, stored } = await shop()
      const person = { name: ABOUT, email: EMAIL, document: null, phone: null, password: 'segredo-123', roleId: 3 }
      const { user } = right(await pay.team.add(actor, person)())
      right(await pay.codes.forgotPassword({ email: EMAIL })())
      const { secrets } = right(await pay.access.readAccount(actor)())
      right(await pay.sessions.exchangeKey({ email: EMAIL, apiKey: secrets?.apiKey ?? '' }, ORIGIN)())
      right(await pay.team.remove(actor, user.id)())
      await worker.drain()
      breakAfter(commits, isStored)
      await pay.personalData.eraseMember(actor, user.id)()
      await worker.drain().catch(() => {})
      isWhole = (await everyRecord(store, memberErasures))[0]?.status === 'completed'
      breakAfter(Number.POSITIVE_INFINITY, false)
      const repeats = [1, 2].map(() => pay.personalData.eraseMember(actor, user.id)())
      for (const repeated of await Promise.all(repeats)) right(repeated)
      const other = pay.worker({ report: () => {} })
      for (const seconds of [0, 61, 61, 61]) {
        clock.advance(seconds)
        await Promise.all([worker.drain(), other.drain()])
      }
      t.like(await everyRecord(store, memberErasures), [{ status: 'completed', isWhole: true }], `${commits}`)
      const trail = JSON.stringify(await everyRecord(store, audit.entries))
      t.false(trail.includes(ABOUT) || trail.includes(EMAIL), `${commits} commits, ${isStored ? 'stored' : 'lost'}`)
      const notices = (await everyRecord(store, notifications)).filter(({ type }) => type === 'key.exchanged')
      t.deepEqual(
        notices.map(({ data }) => JSON.parse(data)),
        [{ user_id: user.id, email: '', address: null }],
      )
      t.false((await everyRecord(store, mails)).some(({ to }) => to === EMAIL))
      t.is((await stored()).split('member-data.erased').length - 1, 1)
      for await (const { area, faults } of findings({ store, digest }, paymentsCollections))
        t.deepEqual(faults, [], area)
    }
})

/** A process that waits for the work of another one before its first commit, and dies after that commit if `dies`. */
const processAfter = (ports: MemoryPorts, work: () => Promise<unknown>, { dies = false } = {}) => {
  let commits = 0
  const store = beforeCommits(ports.store, async () => {
    commits += 1
    if (commits === 1) await work()
    else if (dies) throw new StoreUnavailable('killed')
  })
  return payments({ ...ports, store })
}

const anotherProcess = ({ clock }: Pick<World, 'clock'>, store: Store) => openPayments({ clock, store, seed: 8 }).pay

/** The shop, and another process on its store. */
const sharedShop = async (t: ExecutionContext, isOnSqlite: boolean) => {
  if (!isOnSqlite) {
    const here = await shop()
    return { ...here, other: anotherProcess(here, here.store) }
  }
  const path = await fileFor(t)
  const handle = async () => {
    const store = await sqliteStore(path, WORLD_COLLECTIONS)
    t.teardown(() => store.close())
    return store
  }
  const here = await shop(await handle())
  return { ...here, other: anotherProcess(here, await handle()) }
}

for (const isOnSqlite of [false, true]) {
  const on = `on ${isOnSqlite ? 'SQLite' : 'memory'}`

  test(`refuses to erase a client for whom another process issues a charge meanwhile, and keeps it, ${on}`, async (t) => {
    const { pay, actor, client, store, other } = await sharedShop(t, isOnSqlite)
    const terms = { valueCents: 100, paymentMethod: 'PIX', dueDate: '2026-11-30' } as const
    const issue = () => other.charges.issue(actor, { ...terms, payer: { clientId: client.id } })()
    const erase = (by: Pick<typeof pay, 'personalData'>) => by.personalData.eraseClient(actor, client.id)()
    const clientNow = async () => (await everyRecord(store, clients)).find(({ id }) => id === client.id)
    const deleteCharges = async () => {
      for (const { id, status } of await everyRecord(store, charges))
        if (status === 'pending') await other.charges.delete(actor, id)()
    }
    const refused = { left: { code: 'client.charges-open' } }
    const before = await clientNow()
    t.like(await erase(processAfter(pay.ports, issue)), refused)
    t.deepEqual(await clientNow(), before)
    await deleteCharges()
    t.like(await erase(processAfter(pay.ports, issue, { dies: true })), { left: { code: 'store.unavailable' } })
    t.like(await issue(), { left: { code: 'fields' } }, 'closed until the erasure is repeated')
    t.like(await erase(pay), refused)
    t.deepEqual(await clientNow(), before)
    await deleteCharges()
    await erase(processAfter(pay.ports, issue, { dies: true }))
    right(await other.clients.create(actor, { name: 'Zuleica', document: client.document })())
    t.like(await erase(pay), refused)
    t.like(await clientNow(), { name: 'Zuleica', status: 'DELETED' }, 'its document is of another client by now')
    await deleteCharges()
    right(await erase(pay))
  })

  test(`issues no charge for a client that another process removes or erases meanwhile, ${on}`, async (t) => {
    const { pay, actor, store, other } = await sharedShop(t, isOnSqlite)
    const terms = { valueCents: 1_000, paymentMethod: 'PIX', dueDate: '2026-11-30' } as const
    const plan = { description: 'Curso', interval: 1, intervalType: 'months', installmentsCount: 2 } as const
    const { id: paymentPlanId } = right(await pay.plans.create(actor, plan)())
    const offer = { title: 'Curso', paymentMethods: ['PIX'], amountCents: 1_000 } as const
    const { link, publicUrl } = right(await pay.links.create(actor, offer)())
    const by = { id: link.id, token: new URL(publicUrl).searchParams.get('token') }
    type Issue = (by: typeof pay, client: Client, person: typeof PERSON) => Promise<unknown>
    const issues: readonly (readonly [Issue, isUnknown: boolean])[] = [
      [(from, { id }) => from.charges.issue(actor, { ...terms, payer: { clientId: id } })(), true],
      [
        (from, { id }) => from.charges.issueWithPlan(actor, { ...terms, paymentPlanId, payer: { clientId: id } })(),
        true,
      ],
      [(from, { id }) => from.checkout.pay(by, { paymentMethod: 'PIX', payer: { clientId: id } })(), true],
      [(from, _, payer) => from.charges.issue(actor, { ...terms, payer })(), false],
      [(from, _, payer) => from.instantPix.issue(actor, { valueCents: 1_000, ...payer })(), false],
    ]
    const unknown = { left: { code: 'fields', issues: [{ path: 'payer.clientId', code: 'unknown' }] } }
    const endings = [other.personalData.eraseClient, other.clients.remove]
    for (const [first, end] of endings.entries())
      for (const [second, [issue, isUnknown]] of issues.entries()) {
        const person = { ...PERSON, document: `PESSOA${first}${second}` }
        const client = right(await pay.clients.create(actor, person)())
        const late = processAfter(pay.ports, async () => right(await end(actor, client.id)()))
        const issued = await issue(late, client, person)
        t.like(issued, isUnknown ? unknown : { _tag: 'Right' }, `${first} ${second}`)
        t.false((await everyRecord(store, charges)).some(({ clientId }) => clientId === client.id))
      }
  })
}

test('refuses a change of a charge that expired and whose client was erased before the commit', async (t) => {
  for (const isRemoved of [false, true]) {
    const { pay, actor, client, clock, store } = await shop()
    const order = { valueCents: 100, paymentMethod: 'PIX', dueDate: '2026-11-26' } as const
    const { charge } = right(await pay.charges.issue(actor, { ...order, payer: { clientId: client.id } })())
    if (isRemoved) right(await pay.clients.remove(actor, client.id)())
    clock.set('2026-11-27T02:59:59.000Z')
    let isErased = false
    const other = processAfter({ ...pay.ports, store }, async () => {
      isErased = true
      clock.advance(2)
      right(await pay.personalData.eraseClient(actor, client.id)())
    })
    const change = { dueDate: '2026-12-10', description: ABOUT }
    const changed = await other.charges.update(actor, charge.id, change)()
    t.true(isErased)
    t.like(changed, { left: { code: 'charge.not-pending' } })
  }
})

test('refuses a change of a charge by a process whose clock is behind, once the erasure of its client has begun', async (t) => {
  for (const isRemoved of [false, true])
    for (const isBegun of [false, true]) {
      const { pay, actor, client, clock, store, breakAfter } = await shop()
      const order = { valueCents: 100, paymentMethod: 'PIX', dueDate: '2026-11-26' } as const
      const { charge } = right(await pay.charges.issue(actor, { ...order, payer: { clientId: client.id } })())
      if (isRemoved) right(await pay.clients.remove(actor, client.id)())
      clock.set('2026-11-27T03:00:01.000Z')
      const late = payments({ ...pay.ports, store, clock: setClock('2026-11-27T02:59:31.000Z') })
      const change = () => late.charges.update(actor, charge.id, { dueDate: '2026-12-10', description: ABOUT })()
      if (isBegun) breakAfter(1, false)
      await pay.personalData.eraseClient(actor, client.id)()
      t.like(await change(), { left: { code: 'charge.not-pending' } })
      t.like(
        (await everyRecord(store, charges)).find(({ id }) => id === charge.id),
        { dueDate: '2026-11-26' },
      )
    }
})

test('leaves no byte of an erased payer in the files of the embedded store, freed pages and log included', async (t) => {
  const path = await fileFor(t)
  const sqlite = await sqliteStore(path, WORLD_COLLECTIONS, { truncateLogMs: 50 })
  t.teardown(() => sqlite.close())
  const bytes = async () => {
    const files = await readdir(dirname(path))
    const contents = await Promise.all(files.map((name) => readFile(join(dirname(path), name), 'latin1')))
    return contents.join().toLowerCase()
  }
  const texts = [ABOUT, EMAIL].map((text) => text.toLowerCase())
  const { pay, actor, client, clock, worker } = await shop(sqlite, diskFiles({ directory: dirname(path) }))
  const before = await bytes()
  for (const text of texts) t.true(before.includes(text), text)
  t.is((await readdir(dirname(path))).length, 4)
  right(await pay.personalData.eraseClient(actor, client.id)())
  for (const seconds of [0, 121, 300]) {
    clock.advance(seconds)
    await worker.drain()
  }
  t.like(await everyRecord(sqlite, erasures), [{ status: 'completed' }])
  for (let found = await bytes(); texts.some((text) => found.includes(text)); found = await bytes()) await sleep(20)
  t.true((await bytes()).includes('dados eliminados'))
  t.is((await readdir(dirname(path))).length, 3)
})

/** Fields without personal data of a payer, or with a reason to stay, by collection; `TREATMENTS` has all others. */
const DECIDED: Readonly<Record<string, string>> = {
  // Removed whole.
  'payments.client-tokens': 'id accountId fbAccessTokenSealed',
  'payments.mails':
    'id to dueAt unsentReason attempts trace createdAt expiresAt letterSealed accountId names failedAt about',
  'payments.messages':
    'id to dueAt unsentReason attempts trace createdAt expiresAt channel tenantId textSealed failedAt about',
  // The kept name and document of a payer, until `expiresAt`.
  'payments.erasures': [
    'id accountId clientId status payerName payerDocument keptUntil requestedBy requestedAt completedAt place',
    'dueAt attempts expiresAt',
  ].join(' '),
  // Data of no payer.
  'payments.member-erasures': [
    'id accountId userId isWhole status requestedBy requestedAt completedAt accessKeptUntil place dueAt attempts',
  ].join(' '),
  // Sealed, and deleted within a day.
  'http.keys': [
    'id fingerprint status intent replyStatus replyType replySealed replyHeaders leasedUntil createdAt',
    'expiresAt',
  ].join(' '),
  // Data of members, applicants, accounts and the payees of withdrawals, who are no payers.
  'payments.users': [
    'id name email phone document emailVerifiedAt passwordHash createdAt updatedAt removedAt documentPassedAt',
    'secondFactorAt',
  ].join(' '),
  'payments.second-factors': [
    'id totpSealed totpStep pendingSealed pendingUntil passkeys recoveryDigests wrong wrongSince lockedUntil version',
    'createdAt updatedAt',
  ].join(' '),
  'payments.challenges': [
    'id userId purpose accountId accepts passwordMark isGuarded device wrong provedAt provedBy usedAt createdAt expiresAt',
  ].join(' '),
  'payments.trusted-devices':
    'id userId tokenDigest passwordMark factorAt device address createdAt lastUsedAt expiresAt',
  'payments.named-keys': [
    'id accountId name permissions expiresAt addresses createdBy secretHash ending successorId revokedAt lastUsedAt',
    'lastUsedAddress createdAt updatedAt',
  ].join(' '),
  'payments.split-receivers': 'id accountId name issuers key revokedAt createdBy createdAt',
  'payments.split-shares':
    'id accountId issuerId chargeId journalId creditedCents feeCents heldCents heldEntryId calledCents reservedCents restoredCents returnedCents createdAt',
  'payments.memberships': 'id userId accountId status createdAt updatedAt roleId search',
  'payments.accounts': [
    'id uuid name email document status webhookUrl codeAccount agency account bankCode pixKey apiKeySealed',
    'webhookSecretSealed logoFileId address smtp smtpToldAt notificationRules boletoConfigs taxes limits hasNoConsumers',
    'acceptPartial partialToleranceCents pinHash pinTries pinLockedUntil pinOpenTries requiresSecondFactor',
    'secondFactorFromCents secondFactorDayFromCents admins removedAt',
    'documentPassedAt createdAt updatedAt',
  ].join(' '),
  'payments.registrations': [
    'id name email phone origin address document state uuid passwordHash codeId codeHash codeTriesLeft',
    'codeSentAt confirmedAt image1Id image2Id reason accountId userId dueAt attempts createdAt updatedAt',
    'codeLength operationId',
  ].join(' '),
  'payments.openings': 'id userId name email document address device operationId createdAt',
  'payments.withdrawals': [
    'id accountId by status txid endToEndId valueCents feeCents key name document ispb branch account',
    'accountType destination message lookedUp answer failure operationId sumId nightSumId lookupSince userId',
    'search handedAt createdAt updatedAt',
  ].join(' '),
  'payments.recipients': [
    'id accountId destination key name document ispb branch account accountType count lastUsedAt createdAt',
    'search',
  ].join(' '),
  'payments.paid-parties': 'id accountId document name createdAt search recipientChanges',
  'payments.transfers': [
    'id accountId toAccountId userId valueCents description status endToEndId failure sumId nightSumId',
    'createdAt updatedAt',
  ].join(' '),
  'payments.sessions': [
    'id userId accountId jti issuedAt expiresAt refreshUntil endedAt passwordMark device address createdAt',
    'lastUsedAt formerJti secondFactorAt refreshKey passwordRecentUntil',
  ].join(' '),
  'payments.passkeys': [
    'id userId credentialId publicKey counter name transports device isBackedUp createdAt lastUsedAt',
  ].join(' '),
  'payments.passkey-ceremonies': 'id kind subject challenge createdAt expiresAt',
  'payments.codes': [
    'id userId flow codeId hash triesLeft expiresAt verifySentAt recoverySentAt legacyRecoverySentAt',
    'createdAt length passwordMark',
  ].join(' '),
  'payments.claims': 'id accountId holder',
  'payments.password-links': 'id userId codeId expiresAt',
  'payments.audit':
    'id chain seq createdAt actorUserId action subject changes address device prevHash hash salt erasedAt',
  // Removed with their files.
  'payments.exports': [
    'id accountId userId notificationId kind format fromDay toDay typeIds search status afterSeq lastSeq',
    'byDay total done state sizeBytes readyAt dueAt attempts createdAt updatedAt trace',
  ].join(' '),
  // No personal data of payers.
  'payments.books': 'id accountId kind balanceCents availableCents seq lastAt lastDay settlements settledCents',
  'payments.entries': [
    'id accountId book journalId seq balanceCents datetime day typeId status valueCents direction chargeId',
  ].join(' '),
  'payments.journals': 'id accountId cause legs createdAt',
  'payments.events': [
    'id type missed dueAt attempts trace createdAt accountId subjectId amountPaidCents refundedCents',
    'receivedCents happenedMs urls',
  ].join(' '),
  'host.key-checks': 'id sealed',
  'payments.audit-chains': 'id seq lastAt linkedSeq headHash dueAt attempts',
  'payments.files': 'id kind contentType sizeBytes dueAt attempts createdAt',
  'payments.bank-operations': [
    'id accountId kind subject state dueAt attempts inFlightUntil reason createdAt expiresAt trace',
  ].join(' '),
  'payments.reminders': 'id dueAt attempts day rule afterId',
  'payments.unreadable-bank-records': 'id accountId createdAt expiresAt',
  'payments.card-transactions': 'id accountId place settledCents grossCents feeCents netCents paymentDate',
  'payments.charges': [
    'accountId code status amountPaidCents refundedCents id valueCents paymentMethod dueDate paymentDate',
    'clientId webhook amountRateHundredths typeRate fineHundredths typeFine discountHundredths typeDiscount daysDiscount',
    'chargeGroupId paymentPlanId installments createdBy createdAt txid pixKey pix boleto nossoNumero issueFee',
    'linkId isVeiled linkPlace cardTries isInstant operationId lapsesAt failure createdDay updatedAt',
    'lastEventMs received valuePaidCents titlePaidCents restRefusedCents overpaidCents splits shareDecisions',
  ].join(' '),
  'payments.other-titles': 'id accountId chargeId',
  'payments.refunds':
    'id accountId chargeId entryId valueCents overCents status failure createdBy createdAt completedAt shares corrections',
  'payments.refundable-pix': 'id accountId refundableCents',
  'payments.rest-titles': 'id accountId dueAt attempts',
  'payments.promised-receivers': 'id accountId',
  'payments.new-consumers': 'id accountId dueAt attempts place missed',
  'payments.link-payers': 'id accountId openIds version expiresAt',
  'payments.card-tries': 'id accountId tries declined since expiresAt',
  'payments.clients': 'id accountId code status erasureAt createdAt updatedAt removedAt',
  'payments.code-tries': 'id wrong since expiresAt',
  'payments.charge-groups': 'id accountId name slug description json code search createdAt updatedAt removedAt',
  'payments.links': [
    'id accountId amountCents currency isVariableAmount minAmountCents maxAmountCents paymentMethods',
    'expiresAt maxUses successUrl cancelUrl webhookUrl passTransactionFeeToCustomer sendClientId installments fineHundredths typeFine',
    'clientId tokenSealed lapsesAt dueDay usedPix usedBoleto usedCard cardPayments receivedCents createdBy',
    'updatedBy createdAt createdDay updatedAt updatedDay removedAt pausedAt splits',
  ].join(' '),
  'payments.notifications': 'id type userId data readAt createdAt updatedAt accountId',
  'payments.payment-plans': [
    'id accountId description interval intervalType installmentsCount search createdAt updatedAt removedAt',
  ].join(' '),
  'payments.reconciliations': 'id dueAt attempts place unanswered createdAt expiresAt',
  'payments.differences': 'id runId accountId what kind movementId bankCents ledgerCents bankTxid ledgerTxid expiresAt',
  'payments.listed-movements': 'id expiresAt',
  'payments.message-counts': 'id accountId count hasBeenPaid toldAt expiresAt',
  'payments.throttles': 'id failures expiresAt openTries',
  'payments.sent-transfers': 'id accountId pendingId completedAt expiresAt',
  'payments.deliveries': [
    'id accountId eventId event url host webhookId status attempts dueAt deliveredAt createdAt createdDay',
    'updatedAt trace',
  ].join(' '),
  'payments.pay-out-sums': 'id accountId amount expiresAt',
  'payments.sent-withdrawals': 'id accountId pendingId completedAt expiresAt',
  'payments.key-lookups': 'id accountId withdrawalId startedAt expiresAt',
  'payments.bounded-counts': 'id accountId count since expiresAt',
  'payments.jobs': 'id dueAt attempts lastRunAt place',
  'payments.processes': 'id beats',
}

test('decides on every stored field', (t) => {
  const treated = Object.values(TREATMENTS).map(({ from, erased, ...more }) => {
    const kept: readonly string[] = 'kept' in more ? more.kept : []
    return [from.name, [...Object.keys(erased), ...kept]] as const
  })
  for (const { name, codec } of paymentsCollections) {
    const decided = [...(DECIDED[name]?.split(' ') ?? []), ...(new Map(treated).get(name) ?? [])]
    const fields = Object.keys(fieldCodecs(codec) ?? {})
    t.deepEqual(
      fields.filter((field) => !decided.includes(field)),
      [],
      `${name}: add new fields to TREATMENTS or here`,
    )
    t.deepEqual(
      decided.filter((field) => !fields.includes(field)),
      [],
      `${name}: no such field`,
    )
  }
})
