package ui

const Served = false
