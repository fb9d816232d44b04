(() => {
  const FIRST_MS = 2000
  const LAST_MS = 20000
  document.documentElement.classList.add('js')
  const charge = document.getElementById('charge')
  const told = document.getElementById('told')
  const say = (text) => { told.textContent = text }

  const copy = async (field) => {
    const text = field.dataset.text || field.value
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      field.focus()
      field.select()
      return document.execCommand('copy')
    }
  }
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest('[data-copy]')
    if (!button) return
    const label = button.dataset.label || button.textContent
    const copied = await copy(document.getElementById(button.dataset.copy))
    button.dataset.label = label
    button.textContent = copied ? 'Código copiado' : 'Selecionado: copie o código acima'
    say(button.textContent)
    setTimeout(() => { button.textContent = label }, 4000)
  })

  const stateIn = ({ data: { charge: { status, rest_refused }, pix, boleto } }) =>
    [status.title, pix ? pix.qrcode : '', boleto ? boleto.digitableLine : '', rest_refused === true].join('|')

  const renew = async () => {
    const text = await (await fetch(location.href)).text()
    const page = new DOMParser().parseFromString(text, 'text/html')
    const next = page.getElementById('charge')
    if (!next) return location.reload()
    const hadFocus = charge.contains(document.activeElement)
    document.title = page.title
    charge.replaceChildren(...next.childNodes)
    charge.className = next.className
    charge.dataset.state = next.dataset.state
    charge.dataset.watch = next.dataset.watch
    const state = charge.querySelector('.state')
    say(state.textContent)
    if (hadFocus) state.focus()
  }

  let waitMs = FIRST_MS
  let timer = 0
  const plan = () => {
    clearTimeout(timer)
    if (charge.dataset.watch && document.visibilityState === 'visible') timer = setTimeout(look, waitMs)
  }
  const look = async () => {
    try {
      const answer = await fetch(charge.dataset.watch)
      // A charge that was deleted is no more to be paid.
      if (answer.status === 404) return location.reload()
      if (answer.ok && stateIn(await answer.json()) !== charge.dataset.state) {
        waitMs = FIRST_MS
        await renew()
      } else {
        waitMs = Math.min(waitMs * 1.25, LAST_MS)
      }
    } catch {
      waitMs = LAST_MS
    }
    plan()
  }
  document.addEventListener('visibilitychange', () => {
    waitMs = FIRST_MS
    plan()
  })
  plan()
})()
