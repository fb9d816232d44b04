import { useState } from 'preact/hooks'
import { formatMoment } from '../../../../core/kernel/values/day.ts'
import { Alert, Button } from '../../../panels/browser/elements.tsx'
import { Choice, Field, Form } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { useLive } from './entry.ts'
import { postJson, request } from './session.ts'
import type { PageOf } from './wire.ts'
import { ROLE_NAMES } from './words.ts'

interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: keyof typeof ROLE_NAMES
  readonly status: 'Pending' | 'Accepted' | 'Revoked' | 'Expired'
  readonly expiresAt: string
}

const PATH = 'api/invitations'
const POLL_MS = 60_000

const ROLES = ['Broker', 'Financial', 'Admin', 'Owner', 'Tenant', 'Syndic'] as const

/** The invitations of an agency, which its administrators send and cancel. */
export const Team = () => {
  const { data, error, refresh } = useLive<PageOf<Invitation>>(`${PATH}?pageSize=100`, POLL_MS)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<string>(ROLES[0])
  const [result, setResult] = useState('')
  const action = useAction()
  /** Runs a change, shows its result, and reads the list again. */
  const change = async (perform: () => Promise<string>): Promise<void> => {
    setResult('')
    const text = await perform()
    refresh()
    setResult(text)
  }
  const invite = async (): Promise<string> => {
    const guest = email.trim()
    await request(PATH, postJson({ email: guest, role }))
    setEmail('')
    return `Convite enviado para ${guest}.`
  }
  const cancel = async (id: string): Promise<string> => {
    await request(`${PATH}/${id}`, { method: 'DELETE' })
    document.querySelector<HTMLInputElement>('#guest')?.focus()
    return 'Convite cancelado.'
  }
  return (
    <section class="card part" id="team">
      <h2>Equipe</h2>
      <Form action={action} send={() => change(invite)} button="Enviar convite" checks>
        <Field
          label="Convidar por e-mail"
          name="guest"
          type="email"
          autocomplete="off"
          value={email}
          onValue={setEmail}
          error={action.fields.email}
          required
        />
        <Choice
          label="Papel"
          name="role"
          value={role}
          onValue={setRole}
          options={ROLES.map((each) => [each, ROLE_NAMES[each]] as const)}
        />
      </Form>
      <p id="invite-result" role="status">
        {result}
      </p>
      <Alert text={data === null ? error : null} />
      <ul id="invitations">
        {data?.data
          .filter(({ status }) => status === 'Pending')
          .map(({ id, email: guest, role: invited, expiresAt }) => (
            <li key={id}>
              <span>
                {guest}
                <small>
                  {ROLE_NAMES[invited]} · convite até {formatMoment(expiresAt)}
                </small>
              </span>
              <Button
                aria-label={`Cancelar o convite de ${guest}`}
                onClick={() => action.run(() => change(() => cancel(id)))}
              >
                Cancelar
              </Button>
            </li>
          ))}
      </ul>
    </section>
  )
}
