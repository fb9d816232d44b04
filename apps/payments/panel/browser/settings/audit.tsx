import { LoadState } from '../../../../panels/browser/elements.tsx'
import { counted, deviceText, instantText } from '../../../../panels/browser/format.ts'
import { type ListReply, Pages } from '../../../../panels/browser/list.tsx'
import { Lines, Part, PeriodFields, periodQuery } from '../parts.tsx'
import { SLOW_MS, useLive } from '../session.ts'
import { auditedName, auditedText } from '../words.ts'

interface AuditRecord {
  readonly id: string
  readonly created_at: string
  readonly action: string
  readonly title: string
  readonly actor: { readonly id: number; readonly name: string | null } | null
  readonly changes: Readonly<Record<string, '***' | { readonly from: unknown; readonly to: unknown }>> | null
  readonly address: string | null
  readonly device: string | null
}

interface AuditReply extends Pick<ListReply<AuditRecord>, 'meta'> {
  readonly audit: readonly AuditRecord[]
}

/** The entry that lists the others whose personal data were erased, by their ids. */
const VALUES_ERASED = 'audit.values-erased'

const changeTexts = ({ action, changes }: AuditRecord): readonly string[] => {
  const changed = Object.entries(changes ?? {})
  if (action === VALUES_ERASED) return [counted(changed.length, 'registro', 'registros')]
  return changed.map(([field, change]) => {
    const name = auditedName(field) ?? field
    if (change === '***') return `${name}: em segredo`
    const to = auditedText(field, change.to)
    return change.from === null ? `${name}: ${to}` : `${name}: de ${auditedText(field, change.from)} para ${to}`
  })
}

/** The changes of the account and its team: who made them, when and from where. */
export const AuditTrail = () => {
  const { data, error } = useLive<AuditReply>(`v1/account/audit?${periodQuery(20)}`, SLOW_MS)
  return (
    <Part title="Trilha de auditoria" isBelow>
      <PeriodFields path="/configuracoes" prefix="audit-" />
      <LoadState data={data} error={error} />
      <Lines of={data?.audit} none="Nada foi alterado neste período.">
        {(record) => (
          <li key={record.id}>
            <span>
              {record.title}
              <small>
                {instantText(record.created_at)}
                {record.actor && ` · ${record.actor.name ?? `usuário ${record.actor.id}`}`}
                {record.address && ` · ${record.address}`}
                {record.device && ` · ${deviceText(record.device)}`}
              </small>
              {changeTexts(record).map((text) => (
                <small key={text}>{text}</small>
              ))}
            </span>
          </li>
        )}
      </Lines>
      {data && data.audit.length > 0 && <Pages meta={data.meta} one="registro" many="registros" />}
    </Part>
  )
}
