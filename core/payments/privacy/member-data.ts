import { isLeft, left, right } from '../../failure.ts'
import { nullable, output, pick, timestamp, view } from '../../kernel/input/mod.ts'
import { all, any, eq } from '../../kernel/records/record.ts'
import { gather, slicesOf } from '../../kernel/running/slices.ts'
import { accept, useCase, useCaseOf, withoutKeys } from '../../kernel/running/use-case.ts'
import { formatMoment, type Instant } from '../../kernel/values/day.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import { type AuditEntry, type ShownEntry, shownEntry, VALUES_ERASED } from '../../office/audit.ts'
import type { Store } from '../../ports/store.ts'
import { sessionView } from '../access/own-sessions.ts'
import { aliveSessions, type ShownSession, sessions, shownSession } from '../access/session.ts'
import type { Factor } from '../challenges/factor.ts'
import { passkeyView, type ShownPasskey, shownPasskey } from '../challenges/passkey.ts'
import { type Notification, notificationsNaming, notificationView } from '../inbox/inbox.ts'
import { type Membership, membershipFields } from '../members/membership.ts'
import { type ShownUser, shownUser, UNKNOWN_USER, userFields } from '../members/user.ts'
import { audit, auditInAccount } from '../office.ts'
import { type AccountActor, type PaymentsPorts, roleOf, roleView } from '../payments-ports.ts'
import { type ShownDevice, shownDevice, trustedDeviceView } from '../second-factor/trusted-devices.ts'
import {
  factorQueries,
  findMember,
  keptMemberFieldsOf,
  type MemberErasure,
  memberErasureView,
  partsOf,
} from './member-erasure.ts'
import { drawPaper, erasureSection, facts, lineOf, section } from './paper.ts'

/** The dates of a second factor: `enabledAt` is null while it is not in use. */
export interface FactorDates extends Pick<Factor, 'createdAt' | 'updatedAt'> {
  readonly enabledAt: Instant | null
}

/** A notification of an account's ADMINs that names a member. */
export type NamingNotification = Pick<Notification, 'type' | 'data' | 'createdAt'>

/** All stored data about a member of an account, or about one who left it, as of an instant. */
export interface MemberData {
  readonly userId: number
  /** Null if the user left and is a member of another account, which then controls it. */
  readonly user: ShownUser | null
  /** Null if the user left. */
  readonly membership: Membership | null
  /**
   * The sessions of the account, open ones first. Sessions without an account are included, unless the user is a member
   * of another account. Ended sessions are stored until the sweep.
   */
  readonly sessions: readonly ShownSession[]
  /** Null without a second factor, or if the user is a member of another account. */
  readonly secondFactor: FactorDates | null
  readonly passkeys: readonly ShownPasskey[]
  readonly trustedDevices: readonly ShownDevice[]
  /** The notifications of the account's ADMINs that name the user, each once. */
  readonly notifications: readonly NamingNotification[]
  /** The audit entries about the user or by the user; those of reads are only in the audit trail. */
  readonly audit: readonly ShownEntry[]
  /** Null if the data was not erased. */
  readonly erasure: MemberErasure | null
  readonly issuedAt: Instant
}

export const readMemberData = (ports: PaymentsPorts) => (actor: AccountActor, userId: number | null) =>
  // An idempotency key would store the answer, and the data with it.
  withoutKeys(
    useCase(
      ports,
      (store) => readAll(store, actor.accountId, userId),
      (found, fresh) => {
        if (!found) return left(UNKNOWN_USER)
        return accept<MemberData>(
          { ...found, issuedAt: fresh.now },
          ...auditInAccount(fresh, actor, actor.accountId, 'member-data.read', `user:${found.userId}`),
        )
      },
    ),
  )

const readAll = async (
  store: Store,
  accountId: number,
  id: number | null,
): Promise<Omit<MemberData, 'issuedAt'> | null> => {
  const found = await findMember(store, accountId, id)
  if (!found) return null
  const { user, membership, erasure, isShared } = found
  const { records } = await store.list(aliveSessions(user.id))
  const ended = await gather(slicesOf(store, endedSessions(user.id)))
  const own = [...records, ...ended.toReversed()].filter(
    (session) => session.accountId === accountId || (session.accountId === null && !isShared),
  )
  const factorRecords = isShared ? null : await store.read(factorQueries(user.id))
  const entries: AuditEntry[] = []
  for (const chain of [`account:${accountId}`, ...(isShared ? [] : [`user:${user.id}`])])
    for await (const slice of slicesOf(store, aboutOrBy(chain, user.id)))
      entries.push(...slice.filter(({ action }) => action !== 'member-data.read' && action !== VALUES_ERASED))
  return {
    userId: user.id,
    user: membership || !isShared ? shownUser(user) : null,
    membership,
    sessions: own.map(shownSession),
    secondFactor: factorRecords?.factor ? { ...factorRecords.factor, enabledAt: user.secondFactorAt } : null,
    passkeys: factorRecords?.known.records.map(shownPasskey) ?? [],
    trustedDevices: factorRecords?.devices.records.map(shownDevice) ?? [],
    notifications: await readNaming(store, accountId, user.id),
    audit: entries.map(shownEntry),
    erasure,
  }
}

/** Reads the notifications that name a user, once of those of an event, which differ in their recipient alone. */
const readNaming = async (store: Store, accountId: number, userId: number): Promise<readonly NamingNotification[]> => {
  const found = new Map<string, NamingNotification>()
  for await (const each of notificationsNaming(store, accountId, userId))
    found.set(`${each.createdAt}|${each.data}`, each)
  return [...found.values()]
}

const endedSessions = (userId: number) => ({
  from: sessions,
  where: eq('userId', userId),
  when: 'ended',
  sort: 'createdAt' as const,
})

const aboutOrBy = (chain: string, userId: number) => ({
  from: audit.entries,
  where: all(
    eq('chain', chain),
    chain === `user:${userId}` ? all() : any(eq('subject', `user:${userId}`), eq('actorUserId', userId)),
  ),
  sort: 'seq' as const,
})

const userRecordView = view('MemberDataUser', {
  ...pick(userFields, 'name', 'email', 'phone', 'document', 'emailVerifiedAt'),
  createdAt: timestamp({ about: 'Criação' }),
  removedAt: nullable(timestamp({ about: 'Quando deixou a última organização' })),
})

const membershipRecordView = view(
  'MemberDataMembership',
  {
    ...pick(membershipFields, 'id', 'status', 'createdAt', 'updatedAt'),
    role: output.view(roleView, { about: 'Perfil na conta' }),
  },
  (membership: Membership) => ({ ...membership, role: roleOf(membership.roleId) }),
)

const sessionRecordView = view('MemberDataSession', {
  ...pick(sessionView.table, 'device', 'address', 'createdAt', 'lastUsedAt'),
  endedAt: nullable(timestamp({ about: 'Quando foi encerrada; nulo se não foi' })),
})

const factorDatesView = view('MemberDataSecondFactor', {
  enabledAt: nullable(timestamp({ about: 'Desde quando é exigido no login; nulo se não é' })),
  createdAt: timestamp({ about: 'Quando foi cadastrado' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
})

const notificationRecordView = view('MemberDataNotification', {
  ...pick(notificationView.table, 'type', 'data'),
  createdAt: timestamp({ about: 'Quando' }),
})

/** An audit entry without the values that are data of the account or of another user. */
interface OwnAuditEntry {
  readonly entry: ShownEntry
  readonly userId: number
}

const entryRecordView = view(
  'MemberDataAudit',
  {
    action: output.text({ about: 'O que foi feito' }),
    subject: output.text({ about: 'O registro alterado' }),
    changes: output.json({
      about:
        'Cada campo do usuário que mudou, com o valor de antes e o de depois; de um segredo ou valor eliminado, `***`',
    }),
    address: nullable(output.text({ about: 'Endereço IP, se o usuário o fez' })),
    device: nullable(output.text({ about: 'Dispositivo, se o usuário o fez' })),
    createdAt: timestamp({ about: 'Quando' }),
  },
  ({ entry, userId }: OwnAuditEntry) => {
    const { changes, origin } = partsOf(userId, entry)
    return {
      ...entry,
      changes: changes && entry.changes !== null ? JSON.parse(entry.changes) : null,
      address: origin ? entry.address : null,
      device: origin ? entry.device : null,
    }
  },
)

export const memberDataView = view(
  'MemberData',
  {
    user: nullable(
      output.view(userRecordView, {
        about: 'O cadastro; nulo se saiu e pertence a outra organização, que responde por ele',
      }),
    ),
    membership: nullable(output.view(membershipRecordView, { about: 'O vínculo com a organização; nulo se saiu' })),
    sessions: output.views(sessionRecordView, {
      about: 'As sessões abertas e, depois delas, as encerradas que ainda se guardam',
    }),
    secondFactor: nullable(
      output.view(factorDatesView, {
        about: 'Quando o segundo fator foi cadastrado; nulo sem ele, ou se pertence a outra organização',
      }),
    ),
    passkeys: output.views(passkeyView, { about: 'As chaves de acesso; nenhuma se pertence a outra organização' }),
    trustedDevices: output.views(trustedDeviceView, {
      about: 'Os dispositivos confiáveis; nenhum se pertence a outra organização',
    }),
    notifications: output.views(notificationRecordView, {
      about: 'As notificações aos ADMINs que nomeiam o usuário, cada uma uma vez',
    }),
    audit: output.views(entryRecordView, { about: 'Os registros de auditoria sobre o usuário e os do que ele fez' }),
    erasure: nullable(output.view(memberErasureView, { about: 'A eliminação dos dados, se foi pedida' })),
    issuedAt: timestamp({ about: 'Quando foi consultado' }),
  },
  (of: MemberData) => ({ ...of, audit: of.audit.map((entry) => ({ entry, userId: of.userId })) }),
)

export interface MemberDataPdf {
  readonly userId: number
  readonly pdf: Uint8Array
}

export const drawMemberData = (ports: PaymentsPorts) => {
  const read = readMemberData(ports)
  return (actor: AccountActor, userId: number | null) =>
    useCaseOf<MemberDataPdf>()(async () => {
      const found = await read(actor, userId)()
      if (isLeft(found)) return found
      const pdf = await drawPaper(ports, actor.accountId, paperOf(found.right))
      return right({ userId: found.right.userId, pdf })
    })
}

const RECORDS = { user: 'Cadastro', access: 'Registros de acesso', audit: 'Auditoria' } as const

const paperOf = (of: MemberData) => {
  const { user, membership, erasure } = of
  return {
    person: user?.name ?? `Usuário ${of.userId}`,
    issuedAt: of.issuedAt,
    sections: [
      section(
        'Cadastro',
        'Pertence a outra organização.',
        user === null
          ? []
          : [
              facts(
                ['Nome', user.name],
                ['E-mail', user.email],
                ['Telefone', user.phone],
                ['CPF ou CNPJ', user.document && formatTaxId(user.document)],
                ['Cadastro', formatMoment(user.createdAt)],
                ['Saiu', user.removedAt && formatMoment(user.removedAt)],
              ),
            ],
      ),
      section(
        'Vínculo com a organização',
        'Não pertence à organização.',
        membership === null
          ? []
          : [facts(['Perfil', roleOf(membership.roleId).name], ['Desde', formatMoment(membership.createdAt)])],
      ),
      ...accessSections(of),
      section(
        'Notificações',
        'Nenhuma notificação.',
        of.notifications.map(({ type, data, createdAt }) =>
          facts(['Notificação', type], ['Quando', formatMoment(createdAt)], ['Dados', lineOf(data)]),
        ),
      ),
      section(
        'Auditoria',
        'Nenhum registro.',
        of.audit.map((entry) => {
          const { changes, origin } = partsOf(of.userId, entry)
          return facts(
            ['Ação', entry.action],
            ['Registro', entry.subject],
            ['Quando', formatMoment(entry.createdAt)],
            ['Mudança', changes ? lineOf(entry.changes) : null],
            ['Endereço', origin ? entry.address : null],
            ['Dispositivo', origin ? entry.device : null],
          )
        }),
      ),
      erasureSection(erasure, erasure ? keptMemberFieldsOf(erasure) : [], RECORDS),
    ],
  }
}

const accessSections = ({ sessions: opened, secondFactor, passkeys, trustedDevices }: MemberData) => [
  section(
    'Sessões',
    'Nenhuma sessão.',
    opened.map(({ address, device, createdAt, endedAt }) =>
      facts(
        ['Endereço', address],
        ['Dispositivo', device],
        ['Quando', formatMoment(createdAt)],
        ['Encerrada', endedAt && formatMoment(endedAt)],
      ),
    ),
  ),
  section(
    'Segundo fator',
    'Nenhum segundo fator.',
    secondFactor === null
      ? []
      : [
          facts(
            ['Exigido desde', secondFactor.enabledAt && formatMoment(secondFactor.enabledAt)],
            ['Cadastro', formatMoment(secondFactor.createdAt)],
            ['Última alteração', formatMoment(secondFactor.updatedAt)],
          ),
        ],
  ),
  section(
    'Chaves de acesso',
    'Nenhuma chave de acesso.',
    passkeys.map(({ name, createdAt, lastUsedAt }) =>
      facts(
        ['Nome', name],
        ['Cadastro', formatMoment(createdAt)],
        ['Último uso', lastUsedAt && formatMoment(lastUsedAt)],
      ),
    ),
  ),
  section(
    'Dispositivos confiáveis',
    'Nenhum dispositivo confiável.',
    trustedDevices.map(({ address, device, createdAt, lastUsedAt, expiresAt }) =>
      facts(
        ['Endereço', address],
        ['Dispositivo', device],
        ['Desde', formatMoment(createdAt)],
        ['Último login', formatMoment(lastUsedAt)],
        ['Até', formatMoment(expiresAt)],
      ),
    ),
  ),
]
