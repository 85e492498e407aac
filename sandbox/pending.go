package sandbox

func (p *page) picture() { p.binary = true; p.source() }
func (p *page) svg()     { p.plain() }
func (p *page) json()    { p.plain() }
func (p *page) facts()   {}
