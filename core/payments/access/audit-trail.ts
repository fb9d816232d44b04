import {
  guid,
  type InputOf,
  id,
  input,
  inQuery,
  nullable,
  output,
  pageFields,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import { all, eq, isIn } from '../../kernel/records/record.ts'
import { onDaysOf } from '../../kernel/resources/queries.ts'
import { type AuditEntry, type ShownEntry, shownEntry } from '../../office/audit.ts'
import { listByIds, listPage, type PageOf } from '../../ports/store.ts'
import { type User, users } from '../members/user.ts'
import { AUDITED_ACTIONS, type AuditedAction, audit } from '../office.ts'
import { accountQuery } from '../payments-ports.ts'

/** Days are those of São Paulo, both ends included. */
export const auditFilter = input('AuditFilter', {
  ...pageFields,
  created: inQuery.range('created_at', 'Data'),
  userId: inQuery.integer({ min: 1, about: 'Quem fez' }),
  action: inQuery.words(AUDITED_ACTIONS, { about: 'O que foi feito' }),
})
export type AuditFilter = InputOf<typeof auditFilter>

/** An audit entry and the name of its actor; null without a signed-in user. */
export interface AuditRecord {
  readonly entry: ShownEntry
  readonly actorName: string | null
}

export const listAudit = accountQuery(
  auditFilter,
  async ({ store }, accountId, filter): Promise<PageOf<AuditRecord>> => {
    const { created, userId, action } = filter
    const found = await listPage(store, audit.entries, filter, {
      where: all(
        eq('chain', `account:${accountId}`),
        ...onDaysOf('createdAt', created),
        ...(userId === undefined ? [] : [eq('actorUserId', userId)]),
        ...(action === undefined ? [] : [isIn('action', action)]),
      ),
      sort: { by: 'seq', dir: 'desc' },
    })
    const ids = found.records.map(({ actorUserId }) => actorUserId).filter((id) => typeof id === 'number')
    const people: ReadonlyMap<AuditEntry['actorUserId'], User> = await listByIds(store, users, ids)
    return {
      ...found,
      records: found.records.map((entry) => ({
        entry: shownEntry(entry),
        actorName: people.get(entry.actorUserId)?.name ?? null,
      })),
    }
  },
)

const TITLES: Readonly<Record<AuditedAction, string>> = {
  'account.opened': 'Conta aberta',
  'account.updated': 'Conta alterada',
  'organization.removed': 'Organização removida',
  'terms.set': 'Tarifas e limites definidos pelo banco',
  'pin.set': 'PIN criado',
  'key.exchanged': 'Chave de API usada',
  'key.replaced': 'Chave de API trocada',
  'api-key.created': 'Chave de API com nome criada',
  'api-key.updated': 'Chave de API com nome alterada',
  'api-key.rotated': 'Chave de API com nome substituída',
  'api-key.revoked': 'Chave de API com nome revogada',
  'user.registered': 'Usuário cadastrado',
  'user.added': 'Usuário adicionado à equipe',
  'user.updated': 'Usuário alterado',
  'user.removed': 'Usuário removido da equipe',
  'password.reset': 'Senha redefinida',
  'email.verified': 'E-mail verificado',
  'second-factor.enabled': 'Segundo fator ativado',
  'second-factor.removed': 'Segundo fator desativado',
  'second-factor.reset': 'Segundo fator retirado por um administrador',
  'second-factor.locked': 'Segundo fator bloqueado por códigos errados',
  'second-factor.recovery-used': 'Código de recuperação usado',
  'recovery-codes.replaced': 'Códigos de recuperação trocados',
  'trusted-device.added': 'Dispositivo passou a ser confiável',
  'trusted-device.removed': 'Dispositivo deixou de ser confiável',
  'passkey.added': 'Chave de acesso cadastrada',
  'passkey.renamed': 'Chave de acesso renomeada',
  'passkey.removed': 'Chave de acesso removida',
  'passkey.rejected': 'Chave de acesso recusada: pode ter sido copiada',
  'session.ended': 'Sessão encerrada',
  'sessions.ended': 'Todas as sessões encerradas',
  'link.paused': 'Link de pagamento pausado',
  'link.resumed': 'Link de pagamento retomado',
  'split-receiver.created': 'Chave para receber split criada',
  'split-receiver.revoked': 'Chave para receber split revogada',
  'personal-data.read': 'Dados pessoais de um cliente lidos',
  'personal-data.erased': 'Dados pessoais de um cliente eliminados',
  'member-data.read': 'Dados pessoais de um usuário lidos',
  'member-data.erased': 'Dados pessoais de um usuário eliminados',
  'audit.values-erased': 'Dados pessoais eliminados da auditoria',
}

const titleOf: ReadonlyMap<string, string> = new Map(Object.entries(TITLES))

const actorView = view(
  'AuditActor',
  { id: id({ about: 'Usuário' }), name: nullable(output.text({ about: 'Nome' })) },
  ({ entry, actorName }: AuditRecord) => ({ id: Number(entry.actorUserId), name: actorName }),
)

export const auditRecordView = view(
  'AuditRecord',
  {
    id: guid({ about: 'Identificador' }),
    createdAt: timestamp({ about: 'Quando' }),
    action: output.text({ about: 'O que foi feito' }),
    title: output.text({ about: 'O que foi feito, para pessoas' }),
    actor: nullable(
      output.view(actorView, { about: 'Quem fez; nulo se um código o autorizou ou o banco o comunicou' }),
    ),
    subject: output.text({ about: 'O registro alterado: `account:7`, `user:9`' }),
    changes: output.json({
      about:
        'Cada campo alterado, com o valor de antes e o de depois; de um segredo, só `***`. Nulo se a ação diz tudo',
    }),
    address: nullable(output.text({ about: 'Endereço IP' })),
    device: nullable(output.text({ about: 'Dispositivo, como ele se apresenta' })),
  },
  (record: AuditRecord) => {
    const { changes, action, actorUserId } = record.entry
    return {
      ...record.entry,
      title: titleOf.get(action) ?? action,
      actor: actorUserId === null ? null : record,
      changes: changes === null ? null : JSON.parse(changes),
    }
  },
)
