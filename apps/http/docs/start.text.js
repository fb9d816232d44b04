const here = document.currentScript
const root = new URL('..', here.src)
const { nonce } = document.querySelector('meta[property=csp-nonce]')
const createElement = document.createElement
document.createElement = function (...given) {
  const element = createElement.apply(this, given)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}
const labels = __LABELS__
const decorate = (text) => {
  for (const code of text.querySelectorAll('pre:not(:has(button)) > code[class*=language-]')) {
    const [, language] = /language-(\w+)/.exec(code.className)
    code.tabIndex = 0
    code.parentElement.dataset.label = labels[language] || language
    if (!navigator.clipboard) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copiar'
    button.onclick = async () => {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = 'Copiado'
      setTimeout(() => (button.textContent = 'Copiar'), 2000)
    }
    code.parentElement.append(button)
  }
}
const first = document.getElementById('first')
decorate(first)
const reference = document.createElement('script')
reference.src = new URL('docs/reference.js?v=' + here.dataset.reference, root)
reference.onload = () => {
  Scalar.createApiReference('#page', {
    url: new URL('openapi.json', root).href,
    nonce,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    documentDownloadType: 'json',
    authentication: { preferredSecurityScheme: 'bearer' },
    customCss: __REFERENCE_STYLE__,
  })
  // Keep the first text until the reference shows it.
  const page = document.getElementById('page')
  const seen = () => {
    if (!page.querySelector('h1')) return
    first.remove()
    watching.disconnect()
    const text = page.querySelector('.introduction-description')
    if (!text) return
    decorate(text)
    new MutationObserver(() => decorate(text)).observe(text, { childList: true, subtree: true })
  }
  const watching = new MutationObserver(seen)
  watching.observe(page, { childList: true, subtree: true })
  seen()
}
document.head.append(reference)
