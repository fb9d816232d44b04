(() => {
  document.documentElement.classList.add('js')
  const groups = {
    card_number: (digits) => digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 '),
    expiry: (digits) => digits.slice(0, 4).replace(/^(\d{2})(?=\d)/, '$1/'),
    zipcode: (digits) => digits.slice(0, 8).replace(/^(\d{5})(?=\d)/, '$1-'),
  }
  for (const [name, grouped] of Object.entries(groups)) {
    const field = document.getElementById(name)
    if (!field) continue
    field.addEventListener('input', ({ inputType }) => {
      // A correction within the text would move the cursor to its end.
      if (field.selectionEnd !== field.value.length || (inputType || '').startsWith('delete')) return
      field.value = grouped(field.value.replace(/\D/g, ''))
    })
  }
  const form = document.querySelector('form')
  const button = form.querySelector('button')
  form.addEventListener('submit', () => { button.disabled = true })
  // The browser's back button restores the page with the button disabled.
  addEventListener('pageshow', () => { button.disabled = false })
})()
