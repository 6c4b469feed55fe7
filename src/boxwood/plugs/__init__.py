"""Plugs: boxwood in other libraries' sockets. Each is a module of its library's name, imported on demand."""
