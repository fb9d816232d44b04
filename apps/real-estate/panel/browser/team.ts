import { html } from '../../../http/pages/html.ts'
import { element, setText, showAlert } from './page.ts'
import { messageOf, postJson, type Session } from './session.ts'
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
    showAlert('#invite-wrong', null)
    setText('#invite-result', '')
    try {
      const result = await run()
      await draw()
      setText('#invite-result', result)
    } catch (error) {
      if (!signal.aborted) showAlert('#invite-wrong', messageOf(error))
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
        await session.request(PATH, { ...postJson({ email: guest.value.trim(), role: role.value }), signal })
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
        await session.request(`${PATH}/${id}`, { method: 'DELETE', signal })
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
    setText('#invite-result', '')
    showAlert('#invite-wrong', null)
  })
}
