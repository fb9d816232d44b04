/** What makes the form comfortable, and nobody needs: digits in groups, and a button that is pressed once. */
export const PAY_SCRIPT = `(() => {
  document.documentElement.classList.add('js')
  const groups = {
    card_number: (digits) => digits.slice(0, 19).replace(/(\\d{4})(?=\\d)/g, '$1 '),
    expiry: (digits) => digits.slice(0, 4).replace(/^(\\d{2})(?=\\d)/, '$1/'),
    zipcode: (digits) => digits.slice(0, 8).replace(/^(\\d{5})(?=\\d)/, '$1-'),
  }
  for (const [name, grouped] of Object.entries(groups)) {
    const field = document.getElementById(name)
    if (!field) continue
    field.addEventListener('input', ({ inputType }) => {
      // Whoever corrects what they typed is not to lose their place.
      if (field.selectionEnd !== field.value.length || (inputType || '').startsWith('delete')) return
      field.value = grouped(field.value.replace(/\\D/g, ''))
    })
  }
  const form = document.querySelector('form')
  const button = form.querySelector('button')
  form.addEventListener('submit', () => { button.disabled = true })
  // Whoever comes back may press it again.
  addEventListener('pageshow', () => { button.disabled = false })
})()
`
