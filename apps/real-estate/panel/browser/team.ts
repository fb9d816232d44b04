import { html } from '../../../http/pages/html.ts'
import { element, say } from './page.ts'
import { ApiProblem, type Session } from './session.ts'
import type { PageOf } from './wire.ts'
import { dayAndTime, ROLE_NAMES } from './words.ts'

interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: keyof typeof ROLE_NAMES
  readonly status: 'Pending' | 'Accepted' | 'Revoked' | 'Expired'
  readonly expiresAt: string
}

const PATH = 'api/invitations'
const FAILED = 'Não foi possível agora. Confira a conexão e tente de novo.'

/** Shows an alert, or hides it. */
export const warn = (selector: string, text: string | null): void => {
  const alert = element(selector)
  alert.hidden = text === null
  alert.textContent = text
}

/** Returns the message of an error. */
export const wordsOf = (error: unknown): string => (error instanceof ApiProblem ? error.message : FAILED)

/** Returns a POST with a JSON body. */
export const postJson = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

const lineOf = ({ id, email, role, expiresAt }: Invitation) => html`<li>
<span>${email}<small>${ROLE_NAMES[role]} · convite até ${dayAndTime(expiresAt)}</small></span>
<button type="button" class="quiet" data-revoke="${id}" aria-label="Cancelar o convite de ${email}">Cancelar</button>
</li>`

/** Shows and changes the invitations of a company, for its administrators, until the signal. */
export const manageTeam = (session: Session, signal: AbortSignal): void => {
  const [team, form, list] = [element('#team'), element<HTMLFormElement>('#invite'), element('#invitations')]
  const draw = async (): Promise<void> => {
    const { data } = await session.read<PageOf<Invitation>>(`${PATH}?pageSize=100`, { signal })
    const pending = data.filter(({ status }) => status === 'Pending')
    list.innerHTML = pending.map((each) => lineOf(each).markup).join('')
  }
  /** Runs a change, shows its result and redraws the list. */
  const change = async (run: () => Promise<string>): Promise<void> => {
    warn('#invite-wrong', null)
    say('#invite-told', '')
    try {
      const result = await run()
      await draw()
      say('#invite-told', result)
    } catch (error) {
      if (!signal.aborted) warn('#invite-wrong', wordsOf(error))
    }
  }
  team.hidden = false
  void change(async () => '')
  form.addEventListener(
    'submit',
    (event) => {
      event.preventDefault()
      const [guest, role] = [element<HTMLInputElement>('#guest'), element<HTMLSelectElement>('#role')]
      void change(async () => {
        await session.ask(PATH, { ...postJson({ email: guest.value.trim(), role: role.value }), signal })
        const result = `Convite enviado para ${guest.value.trim()}.`
        guest.value = ''
        return result
      })
    },
    { signal },
  )
  list.addEventListener(
    'click',
    ({ target }) => {
      const id = target instanceof HTMLElement ? target.dataset.revoke : undefined
      if (id === undefined) return
      void change(async () => {
        await session.ask(`${PATH}/${id}`, { method: 'DELETE', signal })
        element('#guest').focus()
        return 'Convite cancelado.'
      })
    },
    { signal },
  )
  signal.addEventListener('abort', () => {
    team.hidden = true
    list.replaceChildren()
    form.reset()
    say('#invite-told', '')
    warn('#invite-wrong', null)
  })
}
