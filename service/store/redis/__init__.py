"""The store on Redis: one server or a cluster, any number of processes."""
