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

/** Shows an alert in words, or hides it. */
export const warn = (selector: string, text: string | null): void => {
  const alert = element(selector)
  alert.hidden = text === null
  alert.textContent = text
}

/** The words of a refusal: of its first wrong field, if any. */
export const wordsOf = (error: unknown): string => (error instanceof ApiProblem ? error.message : FAILED)

/** A request with a JSON body. */
export const sending = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

const lineOf = ({ id, email, role, expiresAt }: Invitation) => html`<li>
<span>${email}<small>${ROLE_NAMES[role]} · convite até ${dayAndTime(expiresAt)}</small></span>
<button type="button" class="quiet" data-revoke="${id}" aria-label="Cancelar o convite de ${email}">Cancelar</button>
</li>`

/** The invitations of a company, for its Admin, until the signal. */
export const keepTeam = (session: Session, signal: AbortSignal): void => {
  const [team, form, list] = [element('#team'), element<HTMLFormElement>('#invite'), element('#invitations')]
  const draw = async (): Promise<void> => {
    const { data } = await session.read<PageOf<Invitation>>(`${PATH}?pageSize=100`, { signal })
    const pending = data.filter(({ status }) => status === 'Pending')
    list.innerHTML = pending.map((each) => lineOf(each).markup).join('')
  }
  /** Runs a change, tells its outcome and draws the list anew. */
  const change = async (run: () => Promise<string>): Promise<void> => {
    warn('#invite-wrong', null)
    say('#invite-told', '')
    try {
      const told = await run()
      await draw()
      say('#invite-told', told)
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
        await session.ask(PATH, { ...sending({ email: guest.value.trim(), role: role.value }), signal })
        const told = `Convite enviado para ${guest.value.trim()}.`
        guest.value = ''
        return told
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
