package components

const served = false
